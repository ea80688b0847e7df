// Two users: with the other's caches and snapshots a caller gets what it would get if they did not exist, to the byte.
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../harness/raw-mcp";
import { ContextRoot, eras } from "./context-root";

const secret = "a secret word of the first user";

function seen({ status, headers, body }: Answer): object {
  const { id: _, ...rest } = body;
  return { status, type: headers.get("content-type"), rest };
}

describe.each(eras)("isolation in %s", (era) => {
  let first: ContextRoot;
  let snapshotId: string;
  beforeAll(async () => {
    first = await ContextRoot.signIn({ era });
    await first.put("/docs", { "diary.md": secret });
    await first.ok("build_cache", { cache: "diary", sources: "/docs" });
    const { body } = await first.files.call("snapshot.create", { paths: ["docs"] });
    snapshotId = body.result.structuredContent.snapshot_id;
  });

  const calls = (): [string, object][] => [
    ["resolve", { cache: "diary", query: "secret", budget: 1000 }],
    ["plan", { cache: "diary", query: "secret", budget: 1000 }],
    ["inspect_cache", { cache: "diary" }],
    ["verify_cache", { cache: "diary" }],
    ["list_caches", {}],
    ["build_cache", { cache: "mine", sources: "/docs" }],
    ["build_cache", { cache: "mine", sources: "/docs", snapshot_id: snapshotId }],
    ["build_cache", { cache: "mine", snapshot_id: snapshotId }],
  ];

  it("AUTH-002 another's caches and snapshots do not exist", async () => {
    const second = await ContextRoot.signIn({ era });
    const nobody = await ContextRoot.signIn({ era });
    for (const [tool, args] of calls()) {
      const answer = await second.raw(tool, args);
      expect(answer.text).not.toContain("secret word");
      expect(answer.text).not.toContain("diary.md");
      expect(seen(answer), tool).toEqual(seen(await nobody.raw(tool, args)));
    }
    const unknown = await second.refused("build_cache", { cache: "mine", snapshot_id: snapshotId });
    expect([unknown.code, unknown.details?.reason]).toEqual(["io_error", "source_missing"]);
  });

  it("AUTH-002 caches of the same name are each user's own", async () => {
    const second = await ContextRoot.signIn({ era });
    await second.put("/docs", { "diary.md": "words of the second user" });
    await second.ok("build_cache", { cache: "diary", sources: "/docs" });
    const ask = { cache: "diary", query: "user", budget: 100 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? first : second).text("resolve", ask)),
    );
    for (const [n, text] of answers.entries()) {
      expect(JSON.parse(text).documents[0].content).toBe(n % 2 === 0 ? secret : "words of the second user");
    }
  });
});

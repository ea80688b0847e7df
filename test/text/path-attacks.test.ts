// The table of path attacks through the tools: each is refused with a clear INVALID_ARGUMENT, or is a harmless name inside the user's own root.
import { beforeAll, describe, expect, it } from "vitest";
import { attacks, shownAttack } from "../harness/path-attacks";
import { eras, TextRoot } from "./text-root";

/** Those that JSON can carry. */
const sendable = attacks.filter(
  ([raw]) => ["string", "boolean", "object"].includes(typeof raw) || Number.isFinite(raw),
);
const refused = sendable.filter(([, wanted]) => wanted === null).map(([raw]) => raw);
const depth = (path: string) => path.split("/").length;
/** Names before paths below them, so that one is not in the way of another. */
const harmless = sendable
  .flatMap(([raw, wanted]) => (typeof raw === "string" && wanted !== null ? [{ raw, wanted }] : []))
  .sort((a, b) => depth(a.wanted) - depth(b.wanted));

describe.each(eras)("path attacks in %s", (era) => {
  let root: TextRoot;
  beforeAll(async () => {
    root = await TextRoot.signIn({ era });
  });

  it("MCP-027 MCP-028 the table holds at least 200 that must be refused and 100 that must not", () => {
    expect(refused.length).toBeGreaterThanOrEqual(200);
    expect(harmless.length).toBeGreaterThanOrEqual(100);
  });

  it.each(["file.create", "text.read", "file.list"] as const)(
    "MCP-026 MCP-027 MCP-028 MCP-052 AUTH-041 %s refuses every one of them and says why",
    async (tool) => {
      const surprises: unknown[] = [];
      const attack = async (path: unknown) => {
        const { status, body, text } = await root.call(tool, { path, ...(tool === "file.create" && { content: "x" }) });
        const error = body.result?.structuredContent?.error;
        const clear =
          status === 200 &&
          error?.code === "INVALID_ARGUMENT" &&
          /^path: .+\.$/s.test(error.message) &&
          error.message.length < 800 &&
          error.details.argument === "path";
        if (!clear) surprises.push([shownAttack(path), status, text.slice(0, 300)]);
      };
      for (let at = 0; at < refused.length; at += 8) await Promise.all(refused.slice(at, at + 8).map(attack));
      expect(surprises).toEqual([]);
      expect((await root.ok("file.list", {})).total).toBe(0);
    },
  );
});

describe("harmless look-alikes", () => {
  it("MCP-025 MCP-026 each is the file that it spells, inside the root, and nothing else comes to be", async () => {
    const root = await TextRoot.signIn();
    const tops = new Set<string>();
    for (const { raw, wanted } of harmless) {
      if (wanted === "/") {
        expect((await root.refused("file.create", { path: raw, content: "x" })).message).toBe(
          "/ is a directory; choose a file name inside it.",
        );
        continue;
      }
      const content = `I am ${wanted}\n`;
      const hash = await root.create(raw, content);
      expect(await root.read(wanted)).toEqual({ content, hash, total_lines: 1 });
      expect((await root.read(raw)).hash).toBe(hash);
      await root.ok("file.remove", { path: raw, hash });
      const [, top = ""] = wanted.split("/");
      if (depth(wanted) > 2) tops.add(top);
    }
    const left = (await root.ok("file.list", { limit: 10_000 })).entries;
    expect(left.every(({ type }) => type === "directory")).toBe(true);
    expect(new Set(left.map(({ name }) => name))).toEqual(tops);
  });
});

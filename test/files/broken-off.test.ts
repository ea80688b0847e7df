// Uploads whose client goes away before the end of the body, over real sockets, plain and by link: nothing is stored, nothing is replaced.
// Only with a length: of a chunked body the proxy of the local development server makes a whole one. Those, and what is left in
// object storage: test/workers/files.test.ts and files-links.test.ts.
import { beforeAll, describe, expect, it } from "vitest";
import { type BrokenUpload, breakOff } from "../harness/broken-upload";
import { bearer } from "../harness/raw-mcp";
import { binary, FilesRoot, got, ifMatch, mib, sha256 } from "./files-root";

let root: FilesRoot;
beforeAll(async () => {
  root = await FilesRoot.signIn();
});

const breaks: [what: string, body: Pick<BrokenUpload, "declared" | "how">, sent: number][] = [
  ["nothing of a small body", { declared: 1000, how: "end" }, 0],
  ["half of a small body", { declared: 1000, how: "end" }, 500],
  ["all but a byte of 1 MiB", { declared: mib, how: "reset" }, mib - 1],
  ["all but a byte of a large body", { declared: 3 * mib, how: "end" }, 3 * mib - 1],
  ["two of three MiB", { declared: 3 * mib, how: "reset" }, 2 * mib],
  ["ten of twelve MiB", { declared: 12 * mib, how: "end" }, 10 * mib],
];

describe.each(breaks)("a client that goes after %s", (_, body, sent) => {
  it("MCP-031 leaves no file, and the path free", async () => {
    const path = `/new-${body.how}-${body.declared}-${sent}`;
    const upload = { ...body, path: `/files${path}`, headers: bearer(root.token), bytes: binary(sent) };
    expect(await breakOff(root.url, upload)).not.toMatch(/ 20\d /);
    expect((await root.get(path)).status).toBe(404);
    // Also what would come late would find that the path is taken.
    await root.store(path, "whole");
    expect((await root.get(path)).bytes.toString()).toBe("whole");
  });

  it("MCP-032 leaves the version that it was to replace", async () => {
    const path = `/old-${body.how}-${body.declared}-${sent}`;
    const hash = await root.store(path, "old");
    const headers = { ...bearer(root.token), ...ifMatch(hash) };
    expect(await breakOff(root.url, { ...body, path: `/files${path}`, headers, bytes: binary(sent) })).not.toMatch(
      / 20\d /,
    );
    expect((await root.get(path)).bytes.toString()).toBe("old");
    expect((await root.put(path, "new", ifMatch(hash))).status).toBe(200);
  });

  it("by a link stores nothing, and has used the link up", async () => {
    const path = `/link-${body.how}-${body.declared}-${sent}`;
    const { url } = await root.ok("file.upload_url", { path });
    const upload = { ...body, path: new URL(url).pathname, bytes: binary(sent) };
    expect(await breakOff(root.url, upload)).not.toMatch(/ 20\d /);
    const again = await got(fetch(url, { method: "PUT", body: "again" }));
    expect([again.status, again.error?.code]).toEqual([404, "NOT_FOUND"]);
    expect((await root.get(path)).status).toBe(404);
  });
});

describe("a chunked body", () => {
  it("by a link that announces its hash is not stored when a part of it is missing", async () => {
    for (const size of [1000, 3 * mib]) {
      const bytes = binary(size);
      for (const wish of [{ sha256: sha256(bytes) }, { size }]) {
        const path = `/chunked-${size}-${Object.keys(wish)}`;
        const { url } = await root.ok("file.upload_url", { path, ...wish });
        const part = { path: new URL(url).pathname, bytes: bytes.subarray(0, size / 2), how: "end" } as const;
        expect(await breakOff(root.url, part)).not.toMatch(/ 20\d /);
        expect((await root.get(path)).status).toBe(404);
      }
    }
  });
});

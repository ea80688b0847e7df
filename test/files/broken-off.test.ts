// Uploads whose client goes away before the end of the body, over real sockets, plain and by link: nothing is stored, nothing is replaced.
// What is left in object storage: test/workers/files.test.ts and files-links.test.ts.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type BrokenUpload, breakOff } from "../harness/broken-upload";
import { bearer } from "../harness/raw-mcp";
import { runtimeUrl } from "../harness/runtime-url";
import { binary, FilesRoot, got, ifMatch, mib, sha256 } from "./files-root";

let root: FilesRoot;
let runtime: string;
beforeAll(async () => {
  root = await FilesRoot.signIn();
  runtime = await runtimeUrl({ pid: inject("pid"), port: Number(new URL(root.url).port) });
});

const breaks: [what: string, body: Pick<BrokenUpload, "declared" | "how">, sent: number][] = [
  ["nothing of a small body", { declared: 1000, how: "end" }, 0],
  ["half of a small body", { declared: 1000, how: "end" }, 500],
  ["all but a byte of 1 MiB", { declared: mib, how: "reset" }, mib - 1],
  ["all but a byte of a large body", { declared: 3 * mib, how: "end" }, 3 * mib - 1],
  ["two of three MiB", { declared: 3 * mib, how: "reset" }, 2 * mib],
  ["ten of twelve MiB", { declared: 12 * mib, how: "end" }, 10 * mib],
  ["no chunk", { how: "end" }, 0],
  ["a small chunk", { how: "end" }, 500],
  ["a small chunk, without a word", { how: "reset" }, 500],
  ["chunks of just over 1 MiB", { how: "end" }, mib + 1],
  ["chunks of three MiB, without a word", { how: "reset" }, 3 * mib],
  ["chunks of exactly two parts of object storage", { how: "end" }, 10 * mib],
  ["chunks of twelve MiB", { how: "end" }, 12 * mib],
];

/** As it comes to the runtime: the proxy of the development server makes whole bodies of chunked ones that break off. */
function broken(upload: BrokenUpload): Promise<string> {
  const { host } = new URL(root.url);
  return breakOff(runtime, { ...upload, headers: { host, ...upload.headers } });
}

describe.each(breaks)("a client that goes after %s", (_, body, sent) => {
  it("MCP-031 leaves no file, and the path free", async () => {
    const path = `/new-${body.how}-${body.declared}-${sent}`;
    const upload = { ...body, path: `/files${path}`, headers: bearer(root.token), bytes: binary(sent) };
    expect(await broken(upload)).not.toMatch(/ 20\d /);
    expect((await root.get(path)).status).toBe(404);
    // Also what would come late would find that the path is taken.
    await root.store(path, "whole");
    expect((await root.get(path)).bytes.toString()).toBe("whole");
  });

  it("MCP-032 leaves the version that it was to replace", async () => {
    const path = `/old-${body.how}-${body.declared}-${sent}`;
    const hash = await root.store(path, "old");
    const headers = { ...bearer(root.token), ...ifMatch(hash) };
    expect(await broken({ ...body, path: `/files${path}`, headers, bytes: binary(sent) })).not.toMatch(/ 20\d /);
    expect((await root.get(path)).bytes.toString()).toBe("old");
    expect((await root.put(path, "new", ifMatch(hash))).status).toBe(200);
  });

  it("by a link stores nothing, and has used the link up", async () => {
    const path = `/link-${body.how}-${body.declared}-${sent}`;
    const { url } = await root.ok("file.upload_url", { path });
    const upload = { ...body, path: new URL(url).pathname, bytes: binary(sent) };
    expect(await broken(upload)).not.toMatch(/ 20\d /);
    const again = await got(fetch(url, { method: "PUT", body: "again" }));
    // Who is gone without a word may not have been heard at all: then this is the first use.
    expect(body.how === "end" ? [404] : [404, 201]).toContain(again.status);
    const found = await root.get(path);
    expect([found.status, ...(again.status === 201 ? [found.bytes.toString()] : [])]).toEqual(
      again.status === 201 ? [200, "again"] : [404],
    );
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
        expect(await broken(part)).not.toMatch(/ 20\d /);
        expect((await root.get(path)).status).toBe(404);
      }
    }
  });
});

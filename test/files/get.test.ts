// GET and HEAD of /files: headers, ranges, conditions, for bytes that lie with the tree and for those in object storage.
import { beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "../harness/raw-http";
import { bearer } from "../harness/raw-mcp";
import { binary, FilesRoot, mib, sha256 } from "./files-root";

let root: FilesRoot;
const contents: Record<string, Buffer> = {
  small: binary(1000),
  large: binary(3 * mib + 17),
  empty: binary(0),
};
beforeAll(async () => {
  root = await FilesRoot.signIn();
  for (const [name, bytes] of Object.entries(contents)) await root.store(`/${name}`, bytes);
});

const entity = (bytes: Buffer) => ({
  etag: `"${sha256(bytes)}"`,
  "content-type": "application/octet-stream",
  "content-disposition": "attachment",
  "x-content-type-options": "nosniff",
  "accept-ranges": "bytes",
  "cache-control": "private, no-store, no-transform",
});

const named = (headers: Headers, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headers.get(name)]));

describe.each(["small", "large", "empty"])("a %s file", (name) => {
  const bytes = contents[name] as Buffer;
  const { length } = bytes;

  it("MCP-031 comes whole, as bytes that no browser takes for anything else, with its hash as ETag", async () => {
    const answer = await root.get(`/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(bytes)).toBe(true);
    const headers = { ...entity(bytes), "content-length": String(length) };
    expect(named(answer.headers, Object.keys(headers))).toEqual(headers);
    expect(answer.headers.get("content-range")).toBeNull();
  });

  it("HEAD says the same without the bytes, also with a range", async () => {
    for (const extra of [{}, { range: "bytes=0-0" }]) {
      const answer = await sendRaw(root.url, {
        method: "HEAD",
        path: `/files/${name}`,
        headers: { ...bearer(root.token), ...extra },
      });
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(answer.headers).toMatchObject({ ...entity(bytes), "content-length": String(length) });
    }
  });

  it("If-None-Match that names it gives 304 and no bytes", async () => {
    const tag = `"${sha256(bytes)}"`;
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await root.send(method, `/${name}`, { "if-none-match": header });
        expect([header, answer.status, answer.bytes.length]).toEqual([header, 304, 0]);
        expect(answer.headers.get("etag")).toBe(tag);
      }
    }
    for (const header of ['"x"', sha256(bytes), "nonsense"]) {
      const answer = await root.get(`/${name}`, { "if-none-match": header });
      expect([header, answer.status, answer.bytes.equals(bytes)]).toEqual([header, 200, true]);
    }
  });

  it("If-Match that names another version gives 412 and no bytes", async () => {
    const tag = `"${sha256(bytes)}"`;
    for (const header of [tag, `"x", ${tag}`, "*"]) {
      expect((await root.get(`/${name}`, { "if-match": header })).status).toBe(200);
    }
    for (const header of ['"x"', `W/${tag}`]) {
      const answer = await root.get(`/${name}`, { "if-match": header });
      expect([answer.status, answer.error?.code]).toEqual([412, "HASH_MISMATCH"]);
      const head = await root.send("HEAD", `/${name}`, { "if-match": header });
      expect([head.status, head.bytes.length]).toEqual([412, 0]);
    }
  });
});

describe.each(["small", "large"])("a range of a %s file", (name) => {
  const bytes = contents[name] as Buffer;
  const { length } = bytes;
  const ranges: [header: string, start: number, end: number][] = [
    ["bytes=0-0", 0, 1],
    ["bytes=0-99", 0, 100],
    ["bytes=500-", 500, length],
    ["bytes=-7", length - 7, length],
    [`bytes=${length - 1}-`, length - 1, length],
    [`bytes=10-${length + 50}`, 10, length],
    [`bytes=-${length + 50}`, 0, length],
    [`bytes=5-9,${length}-`, 5, 10],
    ["bytes=0-", 0, length],
  ];
  it.each(ranges)("%s gives 206 and exactly those bytes", async (range, start, end) => {
    const answer = await root.get(`/${name}`, { range });
    expect(answer.status).toBe(206);
    expect(answer.bytes.equals(bytes.subarray(start, end))).toBe(true);
    const headers = {
      ...entity(bytes),
      "content-length": String(end - start),
      "content-range": `bytes ${start}-${end - 1}/${length}`,
    };
    expect(named(answer.headers, Object.keys(headers))).toEqual(headers);
  });

  it.each([
    `bytes=${length}-`,
    "bytes=-0",
    "bytes=5-2",
    "bytes=x",
    "bytes=",
    "0-5",
    `bytes=${length}-,-0`,
    "bytes=0-1,x",
  ])("%s gives 416 and the size", async (range) => {
    const answer = await root.get(`/${name}`, { range });
    expect([answer.status, answer.error?.code]).toEqual([416, "INVALID_ARGUMENT"]);
    expect(answer.headers.get("content-range")).toBe(`bytes */${length}`);
  });

  it.each(["lines=1-2", "bytes=0-1,5-6", "bytes=0-,0-,0-,0-", "bytes=-1,0-0"])(
    "%s is not for us: the whole comes",
    async (range) => {
      const answer = await root.get(`/${name}`, { range });
      expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true]);
    },
  );

  it("under If-Range comes only of the version that it names", async () => {
    const tag = `"${sha256(bytes)}"`;
    const status = async (condition: string) =>
      (await root.get(`/${name}`, { range: "bytes=1-2", "if-range": condition })).status;
    expect(await status(tag)).toBe(206);
    for (const other of ['"x"', `W/${tag}`, "Wed, 18 Nov 2026 11:00:00 GMT"]) expect(await status(other)).toBe(200);
    // A condition that fails comes before a range that makes no sense.
    expect((await root.get(`/${name}`, { range: "bytes=9-1", "if-range": '"x"' })).status).toBe(200);
    expect((await root.get(`/${name}`, { range: "bytes=9-1", "if-range": tag })).status).toBe(416);
    // Without a range it says nothing.
    expect((await root.get(`/${name}`, { "if-range": '"x"' })).status).toBe(200);
  });

  it("comes after the other conditions: 412, then 304, then the range", async () => {
    const tag = `"${sha256(bytes)}"`;
    const status = async (headers: Record<string, string>) =>
      (await root.get(`/${name}`, { range: "bytes=1-2", ...headers })).status;
    expect(await status({ "if-none-match": tag })).toBe(304);
    expect(await status({ "if-none-match": tag, "if-match": '"x"' })).toBe(412);
    expect(await status({ "if-none-match": tag, "if-match": tag })).toBe(304);
    expect(await status({ "if-none-match": '"x"', "if-match": tag, "if-range": tag })).toBe(206);
    expect(await status({ "if-match": '"x"', range: "bytes=9-1" })).toBe(412);
    expect(await status({ "if-none-match": "*", range: "bytes=9-1" })).toBe(304);
    // We tell no time of change, so that conditions on it have nothing to go by.
    expect(await status({ "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" })).toBe(206);
    expect(await status({ "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" })).toBe(206);
  });

  it("many at once join to the file", async () => {
    const step = Math.ceil(length / 20);
    const starts = Array.from({ length: 20 }, (_, n) => n * step).filter((start) => start < length);
    const parts = await Promise.all(
      starts.map(async (start) => (await root.get(`/${name}`, { range: `bytes=${start}-${start + step - 1}` })).bytes),
    );
    expect(sha256(Buffer.concat(parts))).toBe(sha256(bytes));
  });
});

describe("an empty file", () => {
  it.each(["bytes=0-", "bytes=0-0", "bytes=-0", "bytes=1-1,5-"])("has no bytes for %s", async (range) => {
    const answer = await root.get("/empty", { range });
    expect(answer.status).toBe(416);
    expect(answer.headers.get("content-range")).toBe("bytes */0");
  });

  it("has an end, which is all of it", async () => {
    const answer = await root.get("/empty", { range: "bytes=-5" });
    expect([answer.status, answer.bytes.length, answer.headers.get("content-range")]).toEqual([200, 0, null]);
    expect(answer.headers.get("content-length")).toBe("0");
  });
});

describe("what is no file", () => {
  it("MCP-050 nothing gives 404, a directory 400, each saying what to do", async () => {
    await root.store("/dir/x", "x");
    const cases: [string, number, string, string][] = [
      ["/nothing", 404, "NOT_FOUND", "/nothing does not exist."],
      ["/dir/y/z", 404, "NOT_FOUND", 'path "/dir"'],
      ["/small/below", 404, "NOT_FOUND", "/small/below does not exist."],
      ["/dir", 400, "INVALID_ARGUMENT", "/dir is a directory; see what is in it with file.list."],
      ["/", 400, "INVALID_ARGUMENT", "/ is a directory"],
    ];
    for (const [path, status, code, message] of cases) {
      const answer = await root.get(path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.error).toEqual({ code, message: expect.stringContaining(message) });
      const head = await root.send("HEAD", path);
      expect([head.status, head.bytes.length]).toEqual([status, 0]);
      // Conditions and ranges are about what is there.
      for (const extra of [{ "if-match": '"x"' }, { "if-none-match": "*" }, { range: "bytes=9-1" }]) {
        expect((await root.get(path, extra as Record<string, string>)).status).toBe(status);
      }
    }
  });

  it("the key of object storage is in no answer", async () => {
    const answers = await Promise.all([root.get("/large"), root.send("HEAD", "/large"), root.get("/nothing")]);
    for (const { headers } of answers) expect(JSON.stringify([...headers])).not.toMatch(/u\/[0-9a-f]{64}|r2/i);
  });
});

// PUT of /files: what is created, what is replaced and under which condition, and what is refused. Large bodies: large.test.ts.
import { beforeEach, describe, expect, it } from "vitest";
import { sendRaw } from "../harness/raw-http";
import { bearer } from "../harness/raw-mcp";
import { binary, FilesRoot, ifMatch, mib, sha256 } from "./files-root";

let root: FilesRoot;
beforeEach(async () => {
  root = await FilesRoot.signIn();
});

const unknown = "0".repeat(64);

describe("a new file", () => {
  it("MCP-031 is answered with 201, its path, hash and size, and the hash as ETag; parents are made", async () => {
    const bytes = binary(2000);
    const answer = await root.put("/new/deep/a.bin", bytes);
    expect(answer.status).toBe(201);
    const hash = sha256(bytes);
    expect(JSON.parse(answer.bytes.toString())).toEqual({ path: "/new/deep/a.bin", hash, size_bytes: 2000 });
    expect(answer.headers.get("etag")).toBe(`"${hash}"`);
    expect((await root.get("/new/deep/a.bin")).bytes.equals(bytes)).toBe(true);
    expect(await root.names("/new")).toEqual(["deep"]);
  });

  it.each([0, 1, mib, mib + 1, 6 * mib])("of %i bytes is stored whole, with its length or in chunks", async (size) => {
    const bytes = binary(size);
    expect((await root.put("/known", bytes)).status).toBe(201);
    const pieces = Array.from({ length: Math.ceil(size / 70_000) }, (_, n) =>
      bytes.subarray(n * 70_000, (n + 1) * 70_000),
    );
    expect((await root.putChunked("/chunked", pieces)).status).toBe(201);
    for (const path of ["/known", "/chunked"]) {
      const answer = await root.get(path);
      expect([answer.status, sha256(answer.bytes)]).toEqual([200, sha256(bytes)]);
    }
  });

  it("without any body is the empty file", async () => {
    const answer = await sendRaw(root.url, { method: "PUT", path: "/files/none", headers: bearer(root.token) });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toMatchObject({ hash: sha256(""), size_bytes: 0 });
  });

  it("If-None-Match: * creates it, and the next time not", async () => {
    const only = { "if-none-match": "*" };
    expect((await root.put("/a", "one", only)).status).toBe(201);
    const again = await root.put("/a", "two", only);
    expect([again.status, again.error?.code]).toEqual([412, "ALREADY_EXISTS"]);
    expect((await root.get("/a")).bytes.toString()).toBe("one");
  });

  it("cannot be what If-Match has seen: 412, also for *", async () => {
    for (const header of [`"${unknown}"`, "*"]) {
      const answer = await root.put("/a", "one", { "if-match": header });
      expect([answer.status, answer.error?.code]).toEqual([412, "NOT_FOUND"]);
    }
    expect(await root.names()).toEqual([]);
  });
});

describe("an existing file", () => {
  it.each([10, 2 * mib])(
    "MCP-032 MCP-033 of %i bytes is replaced by who cites its hash: 200 and the new hash",
    async (size) => {
      const hash = await root.store("/a", binary(size));
      const bytes = binary(size);
      const answer = await root.put("/a", bytes, ifMatch(hash));
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.bytes.toString())).toEqual({ path: "/a", hash: sha256(bytes), size_bytes: size });
      expect(answer.headers.get("etag")).toBe(`"${sha256(bytes)}"`);
      // The new hash is good for the next one.
      expect((await root.put("/a", "three", { "if-match": answer.headers.get("etag") ?? "" })).status).toBe(200);
    },
  );

  const refusals: [what: string, headers: Record<string, string>, status: number, code: string][] = [
    ["no condition", {}, 428, "ALREADY_EXISTS"],
    ["If-Match: *", { "if-match": "*" }, 428, "ALREADY_EXISTS"],
    ["If-None-Match of another version", { "if-none-match": `"${unknown}"` }, 428, "ALREADY_EXISTS"],
    ["a hash that it never had", ifMatch(unknown), 412, "HASH_MISMATCH"],
    ["a weak tag of the right hash", { "if-match": `W/"${sha256("one")}"` }, 412, "HASH_MISMATCH"],
    ["If-None-Match: *", { "if-none-match": "*" }, 412, "ALREADY_EXISTS"],
    ["If-None-Match of its hash", { "if-none-match": `"${sha256("one")}"` }, 412, "ALREADY_EXISTS"],
    ["a hash without quotes", { "if-match": sha256("one") }, 400, "INVALID_ARGUMENT"],
    ["nonsense in If-None-Match", { "if-none-match": "yes" }, 400, "INVALID_ARGUMENT"],
    ["a part of it", { ...ifMatch(sha256("one")), "content-range": "bytes 0-1/3" }, 400, "INVALID_ARGUMENT"],
  ];
  it.each(refusals)("MCP-032 MCP-034 under %s stays as it is, small and large", async (_, headers, status, code) => {
    await root.store("/a", "one");
    for (const body of [Buffer.from("two"), binary(2 * mib)]) {
      const answer = await root.put("/a", body, headers);
      expect([answer.status, answer.error?.code]).toEqual([status, code]);
      expect(Object.keys(answer.error ?? {})).toEqual(["code", "message"]);
      // Who has not seen the current version does not get its hash in passing.
      expect(answer.headers.get("etag")).toBeNull();
      expect(answer.bytes.toString()).not.toContain(sha256("one"));
    }
    expect((await root.get("/a")).bytes.toString()).toBe("one");
  });

  it("one of several cited hashes will do", async () => {
    const hash = await root.store("/a", "one");
    expect((await root.put("/a", "two", { "if-match": `"${unknown}", "${hash}"` })).status).toBe(200);
  });

  it("the same bytes again are answered with 200 and change nothing", async () => {
    const hash = await root.store("/a", "one");
    const again = await root.put("/a", "one", ifMatch(hash));
    expect([again.status, again.headers.get("etag")]).toEqual([200, `"${hash}"`]);
  });

  it("MCP-034 a retry after a lost answer does no harm: it is refused, and the bytes stay", async () => {
    const hash = await root.store("/a", "one");
    expect((await root.put("/a", "two", ifMatch(hash))).status).toBe(200);
    expect((await root.put("/a", "two", ifMatch(hash))).status).toBe(412);
    expect((await root.put("/b", "new")).status).toBe(201);
    expect((await root.put("/b", "new")).status).toBe(428);
    expect((await root.get("/a")).bytes.toString()).toBe("two");
  });

  it("MCP-034 of parallel uploads that cite one version exactly one gets 200, the others 412", async () => {
    const hash = await root.store("/a", "one");
    const bodies = Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? binary(mib + 1 + n) : binary(100 + n)));
    const answers = await Promise.all(bodies.map((body) => root.put("/a", body, ifMatch(hash))));
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(412)]);
    expect((await root.get("/a")).bytes.equals(bodies[winner] as Buffer)).toBe(true);
  });

  it("of parallel uploads to a free path exactly one gets 201, the others 428", async () => {
    const bodies = Array.from({ length: 9 }, (_, n) => (n % 3 === 0 ? binary(mib + 1 + n) : binary(100 + n)));
    const answers = await Promise.all(bodies.map((body) => root.put("/free", body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(8).fill(428)]);
  });
});

describe("a place where no file can be", () => {
  it("a directory, what lies below a file, and /.zipfs are refused with 400", async () => {
    await root.store("/dir/file", "x");
    const cases: [path: string, code: string, message: string][] = [
      ["/dir", "ALREADY_EXISTS", "/dir is a directory. Choose a file name inside it."],
      [
        "/dir/file/below",
        "ALREADY_EXISTS",
        "/dir/file is a file, so /dir/file/below cannot be created below it. Choose another path.",
      ],
      [
        "/dir/file/b/c",
        "ALREADY_EXISTS",
        "/dir/file is a file, so /dir/file/b/c cannot be created below it. Choose another path.",
      ],
      ["/.zipfs", "INVALID_ARGUMENT", "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close."],
      [
        "/.zipfs/workspaces/x/contents/a",
        "INVALID_ARGUMENT",
        "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close.",
      ],
      ["/.zipfs/backups/a.zip", "INVALID_ARGUMENT", "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close."],
    ];
    for (const [path, code, message] of cases) {
      for (const body of [Buffer.from("x"), binary(2 * mib)]) {
        for (const headers of [{}, { "if-none-match": "*" }, ifMatch(unknown)]) {
          const answer = await root.put(path, body, headers);
          expect([path, answer.status, answer.error]).toEqual([path, 400, { code, message }]);
        }
      }
    }
    expect(await root.names()).toEqual(["dir"]);
    expect(await root.names("/dir")).toEqual(["file"]);
  });

  it("/ is a directory too", async () => {
    const answer = await root.put("/", "x");
    expect([answer.status, answer.error?.code]).toEqual([400, "ALREADY_EXISTS"]);
  });
});

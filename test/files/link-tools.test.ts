// file.upload_url and file.download_url: what they answer, what they refuse, and that their curl lines work when pasted into a shell.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eras } from "../harness/tool-root";
import { binary, FilesRoot, mib, sha256 } from "./files-root";

const unknown = "0".repeat(64);
let root: FilesRoot;
let folder: string;
beforeAll(async () => {
  root = await FilesRoot.signIn();
  folder = mkdtempSync(join(tmpdir(), "holdfast-curl-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Finished {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function shell(line: string, cwd: string): Promise<Finished> {
  return new Promise((done) => {
    execFile("sh", ["-c", line], { cwd }, (error, stdout, stderr) => {
      done({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe.each(eras)("the answer in %s", (era) => {
  it("names the link, its method, its end, and a line for a shell", async () => {
    const user = await FilesRoot.signIn({ era });
    const before = Date.now();
    const upload = await user.ok("file.upload_url", { path: "in/a b.bin" });
    const hash = await user.store("/out.bin", "bytes");
    const download = await user.ok("file.download_url", { path: "/out.bin" });
    const after = Date.now();
    const link = new RegExp(`^${user.url}/links/[A-Za-z0-9_-]{88}$`);
    expect(upload).toEqual({
      url: expect.stringMatching(link),
      method: "PUT",
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      max_bytes: 100 * mib,
      curl: `curl --fail-with-body -gsS -T './a b.bin' '${upload.url}'`,
    });
    expect(download).toEqual({
      url: expect.stringMatching(link),
      method: "GET",
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      hash,
      size: 5,
      curl: `curl -fgsS -o './out.bin' '${download.url}'`,
    });
    for (const { expires_at: end } of [upload, download]) {
      expect(Date.parse(end)).toBeGreaterThan(before + 598_000);
      expect(Date.parse(end)).toBeLessThanOrEqual(after + 600_000);
    }
    const { url } = await user.ok("file.download_url", { path: "/out.bin" });
    expect(url).not.toBe(download.url);
  });

  it("comes by the underscored names too", async () => {
    const user = await FilesRoot.signIn({ era });
    const { body } = await user.call("file_upload_url", { path: "/a" });
    expect(body.result.structuredContent.method).toBe("PUT");
  });
});

describe("refusals", () => {
  it("MCP-032 MCP-052 a file that exists needs its hash; a directory, a parent that is a file and /.zipfs are no place for one", async () => {
    const user = await FilesRoot.signIn();
    const hash = await user.store("/d/file", "one\n");
    const cases: [object, string, string][] = [
      [
        { path: "/d/file" },
        "ALREADY_EXISTS",
        "/d/file already exists and was not changed. Read it and pass its hash to replace that version, or choose another path.",
      ],
      [{ path: "/d" }, "ALREADY_EXISTS", "/d is a directory. Choose a file name inside it."],
      [{ path: "/d", hash }, "INVALID_ARGUMENT", "/d is a directory; choose a file name inside it."],
      [{ path: "/" }, "INVALID_ARGUMENT", "/ is a directory; choose a file name inside it."],
      [
        { path: "/d/file/x" },
        "ALREADY_EXISTS",
        "/d/file is a file, so /d/file/x cannot be created below it. Choose another path.",
      ],
      [
        { path: "/new", hash },
        "NOT_FOUND",
        '/new does not exist. Call file.list with path "/" to see what is there, or create it with file.create.',
      ],
      [{ path: "/.zipfs/x" }, "INVALID_ARGUMENT", "/.zipfs is managed by zipfs; use zipfs_open and zipfs_close."],
      [{ path: "../x" }, "INVALID_ARGUMENT", 'path: "../x" leaves the root through "..".'],
      [
        { path: "/new", size: 100 * mib + 1 },
        "TOO_LARGE",
        "/new has 104857601 bytes; the limit of file.upload_url is 104857600. Split it into several files.",
      ],
    ];
    for (const [args, code, message] of cases) {
      expect(await user.refused("file.upload_url", args)).toMatchObject({ code, message });
    }
    const stale = await user.refused("file.upload_url", { path: "/d/file", hash: unknown });
    expect(stale.code).toBe("HASH_MISMATCH");
    expect(stale.details).toEqual({ path: "/d/file", hash: unknown });
  });

  it("MCP-034 a cited version that was replaced comes with the diff to the current one", async () => {
    const user = await FilesRoot.signIn();
    const hash = await user.store("/a.md", "one\n");
    const { hash: current } = await user.ok("text.append", { path: "/a.md", hash, content: "two\n" });
    const refused = await user.refused("file.upload_url", { path: "/a.md", hash });
    expect(refused.details).toMatchObject({ current_hash: current, diff: expect.stringContaining("+two") });
  });

  it("MCP-052 wrong arguments are named with what is wanted", async () => {
    const wrong: [object, RegExp][] = [
      [{}, /^path: nothing was given|^path: .*required/],
      [{ path: 7 }, /^path: 7 is not a string/],
      [{ path: "/a", hash: "abc" }, /^hash: "abc" is not a hash/],
      [
        { path: "/a", sha256: unknown.toUpperCase().replaceAll("0", "A") },
        /^sha256: .* is not a SHA-256; give the 64 lower-case hex digits/,
      ],
      [{ path: "/a", size: -1 }, /^size: -1 is not a number of bytes; give an integer from 0\.$/],
      [{ path: "/a", size: 1.5 }, /^size: 1\.5/],
      [{ path: "/a", size: "1" }, /^size: "1"/],
      [{ path: "/a", ttl: 5 }, /^ttl: no such argument; known are path, hash, sha256, size\.$/],
    ];
    for (const [args, message] of wrong) {
      const refused = await root.refused("file.upload_url", args);
      expect([refused.code, refused.message]).toEqual(["INVALID_ARGUMENT", expect.stringMatching(message)]);
    }
    expect((await root.refused("file.download_url", { path: "/a", hash: unknown })).message).toMatch(
      /^hash: no such argument; known are path\.$/,
    );
  });

  it("MCP-050 there is no download of nothing or of a directory", async () => {
    await root.store("/dir/x", "");
    expect((await root.refused("file.download_url", { path: "/none" })).code).toBe("NOT_FOUND");
    const directory = await root.refused("file.download_url", { path: "/dir" });
    expect(directory.message).toBe(
      "/dir is a directory; file.download_url is for files; see what is in it with file.list.",
    );
    expect((await root.refused("file.download_url", { path: "/" })).code).toBe("INVALID_ARGUMENT");
  });

  it("MCP-051 AUTH-031 AUTH-032 need write on the path for an upload and read for a download", async () => {
    const narrow = await FilesRoot.signIn({ user: root.user, scope: "read:/dir/ write:/dir/in/" });
    expect(await narrow.forbidden("file.upload_url", { path: "/dir/y" })).toBe("write:/dir/y");
    expect(await narrow.forbidden("file.upload_url", { path: "/none", hash: unknown })).toBe("write:/none");
    expect(await narrow.forbidden("file.download_url", { path: "/none" })).toBe("read:/none");
    expect((await narrow.ok("file.upload_url", { path: "/dir/in/y" })).method).toBe("PUT");
    expect((await narrow.ok("file.download_url", { path: "/dir/x" })).method).toBe("GET");
  });
});

describe("the curl line", () => {
  const names = [
    "plain.bin",
    "with space.txt",
    'it\'s "odd" $(touch hacked) `x`;&|.txt',
    "[1-3]{a,b}*?.txt",
    "-",
    "--help",
    "@home",
    "é😀.txt",
    "#1.txt",
  ];
  // At the same time: for an answer to its "Expect: 100-continue", which a local server does not give, curl waits a second.
  it.concurrent.each(names)("pasted into a shell moves the file %j there and back", async (name) => {
    const own = join(folder, randomUUID());
    mkdirSync(own);
    const bytes = binary(5000);
    const path = `/curl/${name}`;
    writeFileSync(join(own, name), bytes);
    const upload = await root.ok("file.upload_url", { path, sha256: sha256(bytes), size: bytes.length });
    const sent = await shell(upload.curl, own);
    expect([sent.status, sent.stderr]).toEqual([0, ""]);
    expect(JSON.parse(sent.stdout)).toEqual({ path, hash: sha256(bytes), size_bytes: 5000 });
    rmSync(join(own, name));
    const download = await root.ok("file.download_url", { path });
    expect(await shell(download.curl, own)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(sha256(readFileSync(join(own, name)))).toBe(download.hash);
    expect(readdirSync(own)).toEqual([name]);
  });

  it.concurrent("fails with an exit code and the reason when the link does not work", async () => {
    const own = join(folder, randomUUID());
    mkdirSync(own);
    writeFileSync(join(own, "twice.txt"), "twice");
    const { curl } = await root.ok("file.upload_url", { path: "/twice.txt" });
    expect((await shell(curl, own)).status).toBe(0);
    const again = await shell(curl, own);
    expect(again.status).toBe(22);
    expect(JSON.parse(again.stdout).error.code).toBe("NOT_FOUND");
    const download = await root.ok("file.download_url", { path: "/twice.txt" });
    rmSync(join(own, "twice.txt"));
    expect((await shell(download.curl, own)).status).toBe(0);
    rmSync(join(own, "twice.txt"));
    expect((await shell(download.curl, own)).status).toBe(22);
    expect(readdirSync(own)).toEqual([]);
  });
});

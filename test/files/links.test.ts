// /links: once, for one method and one path, without a token. Everything else is the same 404. Their ten minutes: test/workers/files-links.test.ts.
// Uploads that break off: broken-off.test.ts.
import { beforeAll, describe, expect, it } from "vitest";
import { freshUser, login, revoke } from "../harness/login";
import { sendRaw } from "../harness/raw-http";
import { bearer } from "../harness/raw-mcp";
import { binary, FilesRoot, type Got, got, ifMatch, mib, sha256 } from "./files-root";

let root: FilesRoot;
beforeAll(async () => {
  root = await FilesRoot.signIn();
});

const put = (url: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
  got(fetch(url, { method: "PUT", body, headers } as RequestInit));
const get = (url: string, headers: Record<string, string> = {}) => got(fetch(url, { headers }));

/** What a link that does not work is answered with, to the byte. */
const dead = {
  status: 404,
  text: JSON.stringify({
    error: {
      code: "NOT_FOUND",
      message:
        "This link does not work: it was used, is more than 10 minutes old, or never was one. Ask for a new one.",
    },
  }),
};
const seen = ({ status, bytes }: Got) => ({ status, text: bytes.toString() });

describe("an upload link", () => {
  it.each([10, 2 * mib])("MCP-010 stores a new file of %i bytes, once, without a token", async (size) => {
    const path = `/new-${size}`;
    const { url } = await root.ok("file.upload_url", { path });
    const bytes = binary(size);
    const stored = await put(url, bytes);
    expect(stored.status).toBe(201);
    expect(JSON.parse(stored.bytes.toString())).toEqual({ path, hash: sha256(bytes), size_bytes: size });
    expect(stored.headers.get("etag")).toBe(`"${sha256(bytes)}"`);
    expect(seen(await put(url, bytes))).toEqual(dead);
    expect((await root.get(path)).bytes.equals(bytes)).toBe(true);
  });

  it("MCP-032 replaces the version that it was made for, and no other", async () => {
    const hash = await root.store("/replaced", "one");
    const first = await root.ok("file.upload_url", { path: "/replaced", hash });
    const second = await root.ok("file.upload_url", { path: "/replaced", hash });
    expect((await put(first.url, "two")).status).toBe(200);
    const stale = await put(second.url, "three");
    expect([stale.status, stale.error?.code]).toEqual([412, "HASH_MISMATCH"]);
    expect(seen(await put(second.url, "three"))).toEqual(dead);
    expect((await root.get("/replaced")).bytes.toString()).toBe("two");
  });

  it("MCP-032 made for a new file does not overwrite one that came since", async () => {
    const { url } = await root.ok("file.upload_url", { path: "/came" });
    await root.store("/came", "mine");
    const late = await put(url, "theirs");
    expect([late.status, late.error?.code]).toEqual([412, "ALREADY_EXISTS"]);
    expect(seen(await put(url, "theirs"))).toEqual(dead);
    expect((await root.get("/came")).bytes.toString()).toBe("mine");
  });

  it("is not widened by conditions in headers, nor by a token", async () => {
    const hash = await root.store("/fixed", "one");
    const { url } = await root.ok("file.upload_url", { path: "/fixed-new" });
    await root.store("/fixed-new", "came");
    const forced = await put(url, "x", { ...ifMatch(sha256("came")), ...bearer(root.token) });
    expect(forced.status).toBe(412);
    const stale = await root.ok("file.upload_url", { path: "/fixed", hash });
    expect((await root.put("/fixed", "two", ifMatch(hash))).status).toBe(200);
    expect((await put(stale.url, "x", ifMatch(sha256("two")))).status).toBe(412);
  });

  it("takes only the bytes that were announced, and is used up by others", async () => {
    for (const size of [1000, 2 * mib]) {
      const bytes = binary(size);
      const other = binary(size);
      const announced = { sha256: sha256(bytes), size };
      const tries: [object, Buffer][] = [
        [{ sha256: sha256(bytes) }, other],
        [{ size: size - 1 }, bytes],
        [{ size: size + 1 }, bytes],
        [announced, other],
        [announced, bytes.subarray(1)],
      ];
      for (const [wish, body] of tries) {
        const { url } = await root.ok("file.upload_url", { path: `/announced-${size}`, ...wish });
        const refused = await put(url, body);
        expect([refused.status, refused.error?.code]).toEqual([400, "INVALID_ARGUMENT"]);
        expect(seen(await put(url, bytes))).toEqual(dead);
      }
      expect((await root.get(`/announced-${size}`)).status).toBe(404);
      const { url } = await root.ok("file.upload_url", { path: `/announced-${size}`, ...announced });
      expect((await put(url, bytes)).status).toBe(201);
    }
  });

  it("of many simultaneous uses one is taken", async () => {
    const { url } = await root.ok("file.upload_url", { path: "/rush" });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put(url, `${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(404)]);
  });
});

describe("a download link", () => {
  it.each([0, 10, 2 * mib])("gives %i bytes once, with their hash, size and name", async (size) => {
    const bytes = binary(size);
    await root.store(`/down-${size}/it's 100%25 é.bin`, bytes);
    const { url, hash } = await root.ok("file.download_url", { path: `/down-${size}/it's 100% é.bin` });
    const answer = await get(url);
    expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true]);
    expect(answer.headers.get("etag")).toBe(`"${hash}"`);
    expect(answer.headers.get("content-length")).toBe(String(size));
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''it%27s%20100%25%20%C3%A9.bin");
    expect(seen(await get(url))).toEqual(dead);
  });

  it("gives the version that it was made for, also after that was replaced and the file removed", async () => {
    const first = binary(2 * mib);
    const hash = await root.store("/pinned", first);
    const { url } = await root.ok("file.download_url", { path: "/pinned" });
    expect((await root.put("/pinned", "other", ifMatch(hash))).status).toBe(200);
    await root.ok("file.remove", { path: "/pinned", hash: sha256("other") });
    expect(sha256((await get(url)).bytes)).toBe(hash);
  });

  it("gives a part of it when a part is asked for, and is used up by that", async () => {
    const bytes = binary(2 * mib);
    await root.store("/part", bytes);
    const { url } = await root.ok("file.download_url", { path: "/part" });
    const part = await get(url, { range: "bytes=-100" });
    expect([part.status, part.bytes.equals(bytes.subarray(-100))]).toEqual([206, true]);
    expect(seen(await get(url))).toEqual(dead);
  });

  it("of many simultaneous uses one gets the bytes", async () => {
    await root.store("/rushed", "bytes");
    const { url } = await root.ok("file.download_url", { path: "/rushed" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });
});

describe("what is no link", () => {
  it("used, unknown, changed, cut, for another method or another address: all the same 404", async () => {
    await root.store("/target", "bytes");
    const upload = await root.ok("file.upload_url", { path: "/wanted" });
    const download = await root.ok("file.download_url", { path: "/target" });
    const target = (url: string) => new URL(url).pathname;
    const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
    const tries: [method: string, path: string][] = [
      ...["GET", "POST", "DELETE", "PATCH", "OPTIONS"].map((method): [string, string] => [method, target(upload.url)]),
      ...["PUT", "POST", "DELETE", "OPTIONS"].map((method): [string, string] => [method, target(download.url)]),
      ...["/links/", "/links", "/links/x", `/links/${"A".repeat(88)}`, "/links/..%2Ffiles", "/links/%00"].map(
        (path): [string, string] => ["GET", path],
      ),
      ...[0, 20, 30, 43, 44, 60, 87].map((at): [string, string] => [
        "GET",
        `/links/${flip(download.url.split("/links/")[1] ?? "", at)}`,
      ]),
      ...["/", "/target", "/other", "A", "=", "%20", ".txt"].map((more): [string, string] => [
        "GET",
        target(download.url) + more,
      ]),
      ["GET", target(download.url).slice(0, -1)],
      ["GET", `/links/../links/x${target(download.url).slice(7)}`],
      ["PUT", `${target(upload.url)}/other`],
    ];
    for (const [method, path] of tries) {
      const { status, text } = await sendRaw(root.url, { method, path, ...(method === "PUT" && { body: "x" }) });
      expect([method, path, { status, text }]).toEqual([method, path, dead]);
    }
    expect(await sendRaw(root.url, { method: "HEAD", path: target(download.url) })).toMatchObject({ status: 404 });
    // None of that used them up, or stored anything.
    expect((await root.get("/wanted")).status).toBe(404);
    expect((await put(upload.url, "x")).status).toBe(201);
    expect((await get(download.url)).bytes.toString()).toBe("bytes");
  });

  it("AUTH-001 a link of a revoked token, made with it while it was good", async () => {
    const user = freshUser("revoked");
    const { accessToken, refreshToken, clientId } = await login(root.url, { user });
    const maker = await FilesRoot.withToken(root.url, user, accessToken);
    await maker.store("/a", "mine");
    const upload = await maker.ok("file.upload_url", { path: "/b" });
    const download = await maker.ok("file.download_url", { path: "/a" });
    await revoke(root.url, { token: refreshToken, clientId });
    expect(seen(await put(upload.url, "x"))).toEqual(dead);
    expect(seen(await get(download.url))).toEqual(dead);
    const again = await FilesRoot.signIn({ user });
    expect(await again.names()).toEqual(["a"]);
  });

  it("AUTH-002 a link reaches the root of its maker alone, whoever uses it", async () => {
    const [first, second] = [await FilesRoot.signIn(), await FilesRoot.signIn()];
    await second.store("/same", "second");
    const { url } = await first.ok("file.upload_url", { path: "/same" });
    expect((await put(url, "first", bearer(second.token))).status).toBe(201);
    expect((await first.get("/same")).bytes.toString()).toBe("first");
    expect((await second.get("/same")).bytes.toString()).toBe("second");
    // The ticket of one under the signature of another, which is over both.
    const [a, b] = await Promise.all([first, second].map((one) => one.ok("file.download_url", { path: "/same" })));
    const parts = (link: string | undefined) => Buffer.from(link?.split("/links/")[1] ?? "", "base64url");
    const mixed = Buffer.concat([parts(b?.url).subarray(0, 16), parts(a?.url).subarray(16)]).toString("base64url");
    expect(seen(await get(`${root.url}/links/${mixed}`))).toEqual(dead);
    expect((await get(a?.url ?? "")).bytes.toString()).toBe("first");
  });
});

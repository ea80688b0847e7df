/**
 * Uploads between the Worker, object storage and the user's object: what is stored, and what is left when something goes wrong on the
 * way. What changes meanwhile: files-races.test.ts. The HTTP side of it: test/files.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { gitBlobId } from "../../src/domain/git-objects";
import { type Sha256, sha256Hex } from "../../src/domain/hash";
import { blobGraceMs } from "../../src/domain/limits";
import type { RootPath } from "../../src/domain/path";
import { onlyCreate, onlyReplace } from "../../src/domain/put-guard";
import { clock, hourMs } from "./clock";
import { caller, freshRoot } from "./root";
import { binary, expectNothing, fileRow, mib, send } from "./uploads";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

const sizes: [what: string, bytes: number][] = [
  ["nothing", 0],
  ["a byte", 1],
  ["1 MiB", mib],
  ["a byte over 1 MiB", mib + 1],
  ["5 MiB, one part", 5 * mib],
  ["a byte over one part", 5 * mib + 1],
  ["several parts", 12 * mib + 345],
];

describe.each(["with its length", "in chunks"])("a body %s", (how) => {
  it.each(sizes)(
    "MCP-031 of %s is stored whole, small ones with the tree, others in object storage",
    async (_, size) => {
      const root = freshRoot();
      const bytes = binary(size);
      const declared = how === "in chunks" ? {} : { declared: size };
      const hash = sha256Hex(bytes);
      expect(await send(root, "/a/b", bytes, declared)).toEqual({ ok: true, value: { created: true, hash, size } });
      const large = size > mib ? 1 : 0;
      expect(await fileRow(root, "/a/b")).toEqual([
        {
          blob: hash,
          size,
          git_oid: gitBlobId(bytes),
          lines: size === 0 ? 0 : null,
          outside: large,
          inside: 1 - large,
        },
      ]);
      expect(await root.objectKeys()).toHaveLength(large);
      expect(await root.sql("SELECT * FROM stray_objects")).toEqual([]);
      await root.expectSound();
    },
  );

  it("MCP-004 that is text counts its lines, also where a character lies across pieces", async () => {
    const root = freshRoot();
    const bytes = new TextEncoder().encode("größe 😀\n".repeat(150_000));
    const declared = how === "in chunks" ? {} : { declared: bytes.length };
    okStored(await send(root, "/text", bytes, declared));
    expect(await fileRow(root, "/text")).toMatchObject([{ lines: 150_000, outside: 1 }]);
    await root.expectSound();
  });

  it.each([mib / 2, 3 * mib, 11 * mib])("that breaks off leaves nothing, of %i bytes", async (size) => {
    const root = freshRoot();
    const declared = how === "in chunks" ? {} : { declared: size };
    const during = {
      afterBytes: size - 200_000,
      work: () => Promise.reject(new Error("the client is gone")),
    };
    const answer = await send(root, "/a", binary(size), { ...declared, during });
    expect(answer).toMatchObject({
      ok: false,
      error: { reason: "invalid", message: expect.stringContaining("broke off") },
    });
    await expectNothing(root);
    expect(await root.objectKeys()).toEqual([]);
  });

  it("of other bytes than announced is not stored", async () => {
    for (const size of [1000, 2 * mib]) {
      const root = freshRoot();
      const declared = how === "in chunks" ? {} : { declared: size };
      const wrongHash = { sha256: sha256Hex("other"), size: null };
      const answers = [
        await send(root, "/a", binary(size), { ...declared, expected: wrongHash }),
        await send(root, "/a", binary(size), { ...declared, expected: { sha256: null, size: size + 1 } }),
        await send(root, "/a", binary(size), { ...declared, expected: { sha256: null, size: size - 1 } }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENT" } });
      await expectNothing(root);
      const right = { sha256: sha256Hex(binary(size)), size };
      expect((await send(root, "/a", binary(size), { ...declared, expected: right })).ok).toBe(true);
    }
  });
});

describe("a body that is shorter than its length", () => {
  it.each([1000, 2 * mib])("is not stored, of %i bytes", async (size) => {
    const root = freshRoot();
    const answer = await send(root, "/a", binary(size), { declared: size + 1 });
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining("broke off") } });
    await expectNothing(root);
  });
});

describe("object storage that fails", () => {
  const faults: [what: string, bucket: (real: R2Bucket) => Partial<R2Bucket>, declared: boolean][] = [
    ["does not take the stream", () => ({ put: () => Promise.reject(new Error("injected")) }), true],
    [
      "takes some of the stream",
      () => ({
        async put(_key: string, body: unknown) {
          const reader = (body as ReadableStream).getReader();
          await reader.read();
          await reader.cancel();
          throw new Error("injected");
        },
      }),
      true,
    ],
    ["does not begin parts", () => ({ createMultipartUpload: () => Promise.reject(new Error("injected")) }), false],
    ["does not take a later part", (real) => failingPart(real, 2), false],
    [
      "does not join the parts",
      (real) => failingUpload(real, () => ({ complete: () => Promise.reject(new Error("injected")) })),
      false,
    ],
    [
      "joins the parts, and does not say so",
      (real) =>
        failingUpload(real, (upload) => ({
          async complete(parts: R2UploadedPart[]) {
            await upload.complete(parts);
            throw new Error("injected");
          },
        })),
      false,
    ],
    [
      "takes the stream, and does not say so",
      (real) => ({
        async put(key: string, body: unknown) {
          await real.put(key, body as ReadableStream);
          throw new Error("injected");
        },
      }),
      true,
    ],
    ["cannot be read back", () => ({ get: () => Promise.reject(new Error("injected")) }), true],
    ["has nothing of it", () => ({ get: () => Promise.resolve(null) }), true],
    [
      "has other bytes",
      (real) => ({
        async get(key: string) {
          await real.put(key, "other bytes");
          return real.get(key);
        },
      }),
      false,
    ],
  ];
  it.each(faults)("because it %s: nothing is stored, and a retry is", async (_, faulty, declared) => {
    const root = freshRoot();
    const bytes = binary(7 * mib);
    const length = declared ? { declared: bytes.length } : {};
    await expect(
      send(root, "/a", bytes, { ...length, bucket: { ...standIn(env.BLOBS), ...faulty(env.BLOBS) } }),
    ).rejects.toThrow();
    await expectNothing(root);
    expect((await send(root, "/a", bytes, length)).ok).toBe(true);
    await root.expectSound();
    clock.advance(blobGraceMs);
    await root.ring();
    expect(await root.objectKeys()).toHaveLength(1);
    await root.expectSound();
  });

  function failingPart(real: R2Bucket, failing: number): Partial<R2Bucket> {
    return failingUpload(real, (upload) => ({
      uploadPart(number: number, part: Parameters<R2MultipartUpload["uploadPart"]>[1]) {
        return number === failing ? Promise.reject(new Error("injected")) : upload.uploadPart(number, part);
      },
    }));
  }

  /** Also giving up does not work: the storage is gone, after all. */
  function failingUpload(
    real: R2Bucket,
    fault: (upload: R2MultipartUpload) => Partial<R2MultipartUpload>,
  ): Partial<R2Bucket> {
    return {
      async createMultipartUpload(key: string) {
        const upload = await real.createMultipartUpload(key);
        const whole = {
          uploadPart: upload.uploadPart.bind(upload),
          complete: upload.complete.bind(upload),
          abort: () => Promise.reject(new Error("injected")),
        };
        return { ...whole, ...fault(upload) } as unknown as R2MultipartUpload;
      },
    };
  }

  function standIn(bucket: R2Bucket): R2Bucket {
    return {
      put: bucket.put.bind(bucket),
      get: bucket.get.bind(bucket),
      createMultipartUpload: bucket.createMultipartUpload.bind(bucket),
    } as unknown as R2Bucket;
  }
});

describe("contents that are there already", () => {
  it("are kept once; the second copy goes to the collector", async () => {
    const root = freshRoot();
    const bytes = binary(2 * mib);
    for (const path of ["/a", "/b"]) expect((await send(root, path, bytes, { declared: bytes.length })).ok).toBe(true);
    expect(await root.objectKeys()).toHaveLength(2);
    clock.advance(blobGraceMs);
    await root.ring();
    expect(await root.objectKeys()).toHaveLength(1);
    await root.expectSound();
  });

  it("the same bytes over the same file change nothing, not even the time", async () => {
    const root = freshRoot();
    for (const size of [10, 2 * mib]) {
      const bytes = binary(size);
      const path = `/${size}`;
      expect((await send(root, path, bytes)).ok).toBe(true);
      const before = await root.sql("SELECT * FROM nodes WHERE path = ?", path);
      clock.advance(hourMs);
      const guard = onlyReplace(sha256Hex(bytes));
      expect(await send(root, path, bytes, { guard })).toMatchObject({ ok: true, value: { created: false } });
      expect(await root.sql("SELECT * FROM nodes WHERE path = ?", path)).toEqual(before);
      expect(await root.sql("SELECT * FROM versions")).toEqual([]);
    }
  });

  it("MCP-034 a replaced version stays known, and comes back with its bytes", async () => {
    const root = freshRoot();
    const [first, second] = [binary(2 * mib, 1), binary(2 * mib, 2)];
    okStored(await send(root, "/a", first));
    okStored(await send(root, "/a", second, { guard: onlyReplace(sha256Hex(first)) }));
    expect(await root.sql("SELECT path, blob FROM versions")).toEqual([{ path: "/a", blob: sha256Hex(first) }]);
    okStored(await send(root, "/a", first, { guard: onlyReplace(sha256Hex(second)) }));
    expect(await root.sql("SELECT path, blob FROM versions")).toEqual([{ path: "/a", blob: sha256Hex(second) }]);
    await root.expectSound();
  });
});

describe("an upload that was begun and never finished", () => {
  it("rings the collector by itself, in an object that does nothing else", async () => {
    const root = freshRoot();
    const begun = await root.stub.beginUpload(caller, { path: "/a" as RootPath, guard: onlyCreate }, 2 * mib);
    if (!begun.admitted || !begun.value.ok) throw new Error("not begun");
    await env.BLOBS.put(begun.value.value, binary(2 * mib));
    expect(await root.alarmAt()).toBe(Date.now() + blobGraceMs);
    await root.evict();
    clock.advance(blobGraceMs);
    await root.ring();
    expect(await root.objectKeys()).toEqual([]);
    await root.expectSound();
  });
});

function okStored(answer: Awaited<ReturnType<typeof send>>): Sha256 {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.hash;
}

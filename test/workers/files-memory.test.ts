/** How many bytes of an upload or a download the Worker holds at a time, whoever is slow. The memory of the whole server: test/files/large.test.ts. */
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/domain/hash";
import { uploadPartBytes, uploadPieceBytes } from "../../src/domain/limits";
import type { RootPath } from "../../src/domain/path";
import { onlyCreate } from "../../src/domain/put-guard";
import { contentResponse } from "../../src/files/download";
import { RootCall } from "../../src/files/root-call";
import { receive } from "../../src/files/upload";
import { caller, freshRoot } from "./root";
import { mib } from "./uploads";

const size = 20 * mib;
const chunkBytes = 64 * 1024;

/** Counts what goes in and what has come out again; `most` is what was between at most. */
class Meter {
  most = 0;
  private inside = 0;

  /** Zeros, made as they are asked for. */
  source(): ReadableStream<Uint8Array> {
    let made = 0;
    return new ReadableStream({
      type: "bytes",
      pull: (controller) => {
        if (made === size) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        made += chunkBytes;
        this.inside += chunkBytes;
        this.most = Math.max(this.most, this.inside);
        controller.enqueue(new Uint8Array(chunkBytes));
      },
    });
  }

  /** Takes all there is, piece by piece. */
  async drain(stream: ReadableStream<Uint8Array>): Promise<number> {
    const reader = stream.getReader({ mode: "byob" });
    let taken = 0;
    for (let buffer = new ArrayBuffer(uploadPieceBytes); ; ) {
      const { done, value } = await reader.readAtLeast(uploadPieceBytes, new Uint8Array(buffer));
      if (value !== undefined && value.byteLength > 0) {
        taken += value.byteLength;
        await this.took(value.byteLength);
        buffer = value.buffer as ArrayBuffer;
      }
      if (done) return taken;
    }
  }

  /** With time for whoever would run ahead. */
  async took(bytes: number): Promise<void> {
    await new Promise((done) => setTimeout(done, 0));
    this.inside -= bytes;
  }
}

/** Object storage that is slow to take, and gives back as many zeros. */
function slowBucket(taking: Meter, giving: Meter): R2Bucket {
  const parts: number[] = [];
  const bucket = {
    async put(_key: string, body: ReadableStream) {
      expect(await taking.drain(body)).toBe(size);
    },
    createMultipartUpload: async () => ({
      async uploadPart(_number: number, part: Uint8Array) {
        parts.push(part.byteLength);
        await taking.took(part.byteLength);
      },
      async complete() {
        expect(parts).toEqual(Array(size / uploadPartBytes).fill(uploadPartBytes));
      },
      async abort() {},
    }),
    get: async () => ({ size, body: giving.source() }),
  };
  return bucket as unknown as R2Bucket;
}

describe("of an upload to a bucket that is slow, the Worker holds", () => {
  it.each<[what: string, headers: Record<string, string>, most: number]>([
    ["a few pieces when its length is known", { "Content-Length": String(size) }, 4 * uploadPieceBytes],
    ["one part, and what comes meanwhile, when it comes in chunks", {}, uploadPartBytes + 4 * uploadPieceBytes],
  ])("%s", async (_, headers, most) => {
    const [taking, giving] = [new Meter(), new Meter()];
    const request = new Request("https://holdfast.test/", { method: "PUT", body: taking.source(), headers });
    const target = { path: "/a" as RootPath, guard: onlyCreate };
    const call = new RootCall(freshRoot().stub, caller);
    const bucket = slowBucket(taking, giving);
    const stored = await receive(request, bucket, call, { target, sha256: null, size: null });
    expect(stored).toEqual({ ok: true, value: { created: true, hash: sha256Hex(new Uint8Array(size)), size } });
    expect(taking.most).toBeGreaterThan(0);
    expect(taking.most).toBeLessThanOrEqual(most);
  });
});

describe("of a download by a client that is slow, the Worker holds", () => {
  it("a few pieces", async () => {
    const meter = new Meter();
    const work: Promise<unknown>[] = [];
    const place = { kind: "bucket", r2Key: "k" } as const;
    const content = { hash: sha256Hex("x"), size, place };
    const source = {
      bucket: slowBucket(new Meter(), meter),
      waitUntil: (done: Promise<unknown>) => void work.push(done),
    };
    const response = await contentResponse(new Request("https://holdfast.test/"), content, source);
    expect(await meter.drain(response.body as ReadableStream<Uint8Array>)).toBe(size);
    await Promise.all(work);
    expect(meter.most).toBeLessThanOrEqual(4 * uploadPieceBytes);
  });
});

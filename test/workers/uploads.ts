import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { FileRefusal } from "../../src/domain/file-refusals";
import type { RootPath } from "../../src/domain/path";
import { onlyCreate, type PutGuard } from "../../src/domain/put-guard";
import type { Result } from "../../src/domain/result";
import { RootCall } from "../../src/files/root-call";
import { receive, type Upload } from "../../src/files/upload";
import type { StoredFile } from "../../src/root/operations/files/put-file";
import { caller, type TestRoot } from "./root";

export const mib = 1024 * 1024;

/** Bytes that are not text and differ from each other for each seed. */
export function binary(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = at === 0 ? 0xff : (at * 31 + (at >> 8) * 7 + seed) & 0xff;
  return bytes;
}

export interface SendOptions {
  readonly guard?: PutGuard;
  readonly bucket?: R2Bucket;
  /** Without: the body is chunked. */
  readonly declared?: number;
  readonly expected?: Pick<Upload, "sha256" | "size">;
  /** Runs when these many bytes of the body are sent; if it throws, the client is gone. */
  readonly during?: { readonly afterBytes: number; work(): Promise<void> };
}

/** A PUT as the Worker takes it, with a body that comes piece by piece. */
export async function send(
  root: TestRoot,
  path: string,
  bytes: Uint8Array,
  options: SendOptions = {},
): Promise<Result<StoredFile, FileRefusal>> {
  const headers = options.declared === undefined ? {} : { "Content-Length": String(options.declared) };
  const body = bodyOf(bytes, options.during);
  const request = new Request("https://holdfast.test/", { method: "PUT", body, headers });
  const target = { path: path as RootPath, guard: options.guard ?? onlyCreate };
  const expected = options.expected ?? { sha256: null, size: null };
  const call = new RootCall(root.stub, caller);
  const stored = await receive(request, options.bucket ?? env.BLOBS, call, { target, ...expected });
  // What is refused at once is not read.
  if (!request.bodyUsed) await request.body?.cancel();
  return stored;
}

/** The bytes as they come over a connection. */
export function bodyOf(bytes: Uint8Array, during?: SendOptions["during"]): ReadableStream<Uint8Array> {
  const pipe = new IdentityTransformStream();
  void pump(pipe.writable.getWriter(), bytes, during);
  return pipe.readable;
}

async function pump(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  bytes: Uint8Array,
  during: SendOptions["during"],
): Promise<void> {
  const pieceBytes = 100_000;
  let pending = during;
  try {
    for (let at = 0; at < bytes.length; ) {
      if (pending !== undefined && at === pending.afterBytes) {
        await pending.work();
        pending = undefined;
      }
      const end = Math.min(at + pieceBytes, pending?.afterBytes ?? bytes.length);
      await writer.write(bytes.slice(at, end));
      at = end;
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
  }
}

export function fileRow(root: TestRoot, path: string) {
  return root.sql(
    `SELECT nodes.blob, nodes.size, nodes.git_oid, nodes.lines, blobs.r2_key IS NOT NULL AS outside, blobs.is_inline AS inside
       FROM nodes JOIN blobs ON blobs.hash = nodes.blob WHERE path = ?`,
    path,
  );
}

/** The user's object has nothing of the upload but, at most, keys that the collector knows. */
export async function expectNothing(root: TestRoot): Promise<void> {
  expect(await root.sql("SELECT path FROM nodes WHERE kind = 'file'")).toEqual([]);
  expect(await root.sql("SELECT hash FROM blobs")).toEqual([]);
  await root.expectSound();
}

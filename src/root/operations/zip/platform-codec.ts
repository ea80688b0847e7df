import { createDeflateRaw, createInflateRaw, deflateRawSync, type InflateRaw, inflateRawSync } from "node:zlib";
import type { Codec } from "../../../domain/zip/codec";
import type { StreamEnd } from "../../../domain/zip/entry-meter";
import { inflateSmall } from "../../../domain/zip/inflate";
import { gunzipExactly } from "./gunzip-exactly";

const pieceBytes = 64 * 1024;

/** Up to this size our own code inflates: the native memory of so many calls would outgrow their data. */
const smallMaxBytes = 256 * 1024;

/** node:zlib, which the Workers runtime and Node have alike. `bytesWritten` is what the stream really took. */
export const platformCodec: Codec = {
  inflateExpected: gunzipExactly,

  inflateWhole(data, maxBytes) {
    if (maxBytes <= smallMaxBytes) return inflateSmall(data, maxBytes);
    try {
      // 0 would mean no limit.
      const options = { maxOutputLength: Math.max(1, maxBytes), info: true } as const;
      const { buffer, engine } = inflateRawSync(data, options) as unknown as { buffer: Uint8Array; engine: InflateRaw };
      return { bytes: buffer, end: { state: "finished", consumed: engine.bytesWritten } };
    } catch (error) {
      const code = codeOf(error);
      if (code === "ERR_BUFFER_TOO_LARGE") return "over";
      return { bytes: new Uint8Array(0), end: endOf(code) };
    }
  },

  async inflate(data, take) {
    const inflater = createInflateRaw({ chunkSize: pieceBytes });
    let failure: string | null = null;
    inflater.on("error", (error) => {
      failure = codeOf(error);
    });
    const fed = feed(inflater, data);
    // Whether the taker wants no more, or failed, which says nothing of the data.
    let stopped: { readonly cause: unknown } | null = null;
    try {
      for await (const piece of inflater) {
        stopped = await take(piece as Uint8Array).then(
          (goesOn) => (goesOn ? null : { cause: null }),
          (cause: unknown) => ({ cause }),
        );
        if (stopped !== null) break;
      }
    } catch (error) {
      if (stopped === null) failure = codeOf(error);
    } finally {
      inflater.destroy();
    }
    const fault = await fed;
    if (stopped?.cause === null) return null;
    if (stopped !== null) throw stopped.cause;
    if (fault !== null) throw fault;
    return failure === null ? { state: "finished", consumed: inflater.bytesWritten } : endOf(failure);
  },

  deflateWhole: (data) => deflateRawSync(data),

  async *deflate(data) {
    const deflater = createDeflateRaw({ chunkSize: pieceBytes });
    const fed = feed(deflater, data);
    try {
      for await (const piece of deflater) yield piece as Uint8Array;
    } finally {
      deflater.destroy();
    }
    const fault = await fed;
    if (fault !== null) throw fault;
  },
};

/** Writes until the data or the stream ends; gives what failed on the side of the data. */
async function feed(target: InflateRaw, data: AsyncIterable<Uint8Array>): Promise<unknown> {
  const ended = new Promise<void>((resolve) => {
    target.once("end", resolve);
    target.once("close", resolve);
    target.once("error", () => resolve());
  });
  try {
    for await (const view of data) {
      if (target.destroyed || target.readableEnded) return null;
      // One piece at a time: the next is read when this one is through.
      await Promise.race([new Promise((resolve) => target.write(view, resolve)), ended]);
    }
    if (!target.destroyed) target.end();
    return null;
  } catch (error) {
    target.destroy();
    return error;
  }
}

function endOf(code: string): StreamEnd {
  return { state: code === "Z_BUF_ERROR" ? "unfinished" : "broken" };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

// The fast way to inflate an entry: it may leave any stream to the slow one, but what it gives is what the slow one gives,
// and never of a stream that ends before or after its data.
import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, seed } from "../../../../test/counts";
import { inflateSmall } from "../../../domain/zip/inflate";
import { gunzipExactly } from "./gunzip-exactly";

const text = Buffer.from("one line of a text that is long enough to be packed, packed, packed\n");
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0]);

function trailer(content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(crc32(content));
  bytes.writeUInt32LE(content.length, 4);
  return bytes;
}

function fast(data: Uint8Array, content: Uint8Array): string | null {
  const bytes = gunzipExactly(data, content.length, crc32(content));
  return bytes === null ? null : Buffer.from(bytes).toString("hex");
}

/** As our own code judges; null: the stream is not exactly this content. */
function slow(data: Uint8Array, content: Uint8Array): string | null {
  const judged = inflateSmall(data, content.length);
  if (judged === "over" || judged.end.state !== "finished" || judged.end.consumed !== data.length) return null;
  return Buffer.compare(judged.bytes, content) === 0 ? Buffer.from(content).toString("hex") : null;
}

describe("Inflating what is expected", () => {
  it.each([1, 100, 64 * 1024, 1024 * 1024])("gives a content of %d bytes", (size) => {
    const content = Buffer.alloc(size, text);
    expect(fast(deflateRawSync(content), content)).toBe(content.toString("hex"));
  });

  it("gives many contents one after the other, whatever came before", () => {
    const contents = [text, Buffer.alloc(200_000, "x"), Buffer.from("y"), Buffer.alloc(70_000, text)];
    for (const content of contents) {
      expect(fast(deflateRawSync(content), Buffer.concat([content, text]))).toBeNull();
      expect(fast(deflateRawSync(content), content)).toBe(content.toString("hex"));
    }
  });

  const stream = deflateRawSync(text);
  const empty = deflateRawSync(Buffer.alloc(0));
  const hidden: [string, Uint8Array, Uint8Array][] = [
    ["bytes behind the stream", Buffer.concat([stream, Buffer.from("more")]), text],
    ["zeros behind the stream", Buffer.concat([stream, Buffer.alloc(4)]), text],
    ["a cut stream", stream.subarray(0, -1), text],
    ["checksum, size and zeros behind the stream", Buffer.concat([stream, trailer(text), Buffer.alloc(9)]), text],
    ["checksum, size and one zero behind the stream", Buffer.concat([stream, trailer(text), Buffer.alloc(1)]), text],
    ["checksum and size behind the stream", Buffer.concat([stream, trailer(text)]), text],
    ["a second gzip member", Buffer.concat([stream, trailer(text), header, empty]), text],
    ["an empty gzip member before the content", Buffer.concat([empty, trailer(Buffer.alloc(0)), header, stream]), text],
    ["two members that are the content together", twoMembers(), Buffer.concat([text, text])],
    ["another content of the same size", deflateRawSync(Buffer.alloc(text.length, "z")), text],
  ];
  it.each(hidden)("leaves %s to the slow way, which refuses it", (_, data, content) => {
    expect(fast(data, content)).toBeNull();
    expect(slow(data, content)).toBeNull();
  });

  function twoMembers(): Uint8Array {
    return Buffer.concat([stream, trailer(text), header, stream]);
  }

  it("takes nothing that the slow way refuses", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom(stream, empty, header, trailer(text), trailer(Buffer.alloc(0)), Buffer.alloc(1)),
    );
    const data = fc.array(piece, { maxLength: 6 }).map((pieces) => Buffer.concat(pieces));
    const content = fc.constantFrom(text, Buffer.alloc(0), Buffer.concat([text, text]));
    fc.assert(
      fc.property(data, content, (bytes, expected) => {
        const given = fast(bytes, expected);
        if (given !== null) expect(given).toBe(slow(bytes, expected));
      }),
      { seed, numRuns: counts.inflateCases },
    );
  });

  it("gives what was packed, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 5000 }),
        fc.integer({ min: 0, max: 9 }),
        (content, level) => {
          const data = deflateRawSync(content, { level });
          const given = fast(data, content);
          // A stored block may have the signature of gzip in it by chance, or the checksum and the size behind it.
          if (given === null)
            expect(Buffer.concat([data, trailer(content)]).includes(header.subarray(0, 3))).toBe(true);
          else expect(given).toBe(slow(data, content));
        },
      ),
      { seed, numRuns: counts.inflateCases },
    );
  });
});

/** What a content is, told from its pieces: the same as from the whole, wherever it is cut. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { countByteLines } from "./byte-lines";
import { ContentScan, scanContent } from "./content-scan";
import { gitBlobId } from "./git-objects";
import { sha256Hex } from "./hash";
import { isText } from "./text-kind";
import { TextScan } from "./text-scan";

/** Bytes that lie close to what is and what is not UTF-8. */
const nearText = fc.array(
  fc.oneof(
    fc.constantFrom(
      0x61,
      0x0a,
      0x0d,
      0x00,
      0x7f,
      0x80,
      0xbf,
      0xc0,
      0xc2,
      0xe0,
      0xa0,
      0xed,
      0x9f,
      0xf0,
      0x90,
      0xf4,
      0x8f,
      0xf5,
    ),
    fc.nat(255),
  ),
  { maxLength: 12 },
);
const characters = fc.string({ unit: "binary", maxLength: 12 }).map((text) => [...new TextEncoder().encode(text)]);
const contents = fc
  .array(fc.oneof(nearText, characters, characters), { maxLength: 6 })
  .map((parts) => Uint8Array.from(parts.flat()));

/** The content in pieces, cut at these places. */
function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

describe("a content in pieces", () => {
  it("MCP-004 MCP-031 is what the whole is: hash, git id, text or not, lines", () => {
    fc.assert(
      fc.property(contents, fc.array(fc.nat(200), { maxLength: 5 }), (bytes, cuts) => {
        const scan = new ContentScan(bytes.length);
        for (const piece of pieces(bytes, cuts)) scan.update(piece);
        const expected = {
          blob: sha256Hex(bytes),
          gitOid: gitBlobId(bytes),
          size: bytes.length,
          lines: isText(bytes) ? countByteLines(bytes) : null,
        };
        expect(scan.facts()).toEqual(expected);
        expect(scanContent(bytes)).toEqual(expected);
      }),
      { seed, numRuns: 20_000 },
    );
  });

  it("MCP-004 looks for a NUL in the first 8000 bytes of the whole, not of a piece", () => {
    const linesOf = (nulAt: number, pieceBytes: number) => {
      const bytes = new Uint8Array(8100).fill(0x61);
      bytes[nulAt] = 0;
      const scan = new TextScan();
      for (let at = 0; at < bytes.length; at += pieceBytes) scan.update(bytes.subarray(at, at + pieceBytes));
      return scan.lines();
    };
    for (const pieceBytes of [1, 7, 4096, 7999, 8000, 8001, 9000]) {
      expect([pieceBytes, linesOf(7999, pieceBytes)]).toEqual([pieceBytes, null]);
      expect([pieceBytes, linesOf(8000, pieceBytes)]).toEqual([pieceBytes, 1]);
    }
  });

  it("has no facts when more or fewer bytes came than were said", () => {
    for (const size of [2, 4]) {
      const scan = new ContentScan(size);
      scan.update(Uint8Array.of(1, 2, 3));
      expect(scan.facts()).toBeNull();
    }
  });
});

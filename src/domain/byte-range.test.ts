/** The Range header of a request for bytes. */
import { describe, expect, it } from "vitest";
import { type ByteRange, parseRangeHeader } from "./byte-range";

const range = (start: number, end: number): ByteRange => ({ start, end });

describe("a Range header", () => {
  it.each<[header: string, size: number, parsed: ReturnType<typeof parseRangeHeader>]>([
    ["bytes=0-0", 10, range(0, 1)],
    ["bytes=2-5", 10, range(2, 6)],
    ["bytes=2-", 10, range(2, 10)],
    ["bytes=9-9", 10, range(9, 10)],
    ["bytes=0-99", 10, range(0, 10)],
    ["bytes=-3", 10, range(7, 10)],
    ["bytes=-99", 10, range(0, 10)],
    ["BYTES=1-1", 10, range(1, 2)],
    [" bytes= 1-1 ", 10, range(1, 2)],
    ["bytes=1-1,", 10, range(1, 2)],
    [`bytes=1-${"9".repeat(400)}`, 10, range(1, 10)],
    ["bytes=,, 1-1", 10, range(1, 2)],
    // Of several only one has bytes.
    ["bytes=0-1, 20-21", 10, range(0, 2)],
    ["bytes=20-21,-3,-0", 10, range(7, 10)],
    // Touches no byte.
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=10-12", 10, "unsatisfiable"],
    [`bytes=${"9".repeat(400)}-`, 10, "unsatisfiable"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=-0", 0, "unsatisfiable"],
    ["bytes=10-,20-30,-0", 10, "unsatisfiable"],
    // Makes no sense.
    ["bytes=5-2", 10, "unsatisfiable"],
    ["bytes=", 10, "unsatisfiable"],
    ["bytes=-", 10, "unsatisfiable"],
    ["bytes=a-b", 10, "unsatisfiable"],
    ["bytes=1.5-2", 10, "unsatisfiable"],
    ["bytes=+1-2", 10, "unsatisfiable"],
    ["bytes=0x1-2", 10, "unsatisfiable"],
    ["bytes=1-2-3", 10, "unsatisfiable"],
    ["bytes=0-1,x", 10, "unsatisfiable"],
    ["0-1", 10, "unsatisfiable"],
    ["", 10, "unsatisfiable"],
    // Not for us: the whole is sent.
    ["lines=1-2", 10, null],
    ["bytes=0-1,3-4", 10, null],
    ["bytes=0-1,-2", 10, null],
    ["bytes=0-5,2-3", 10, null],
    ["bytes=-1", 0, null],
    ["bytes=0-,-1", 0, null],
  ])("%j of %i bytes", (header, size, parsed) => {
    expect(parseRangeHeader(header, size)).toEqual(parsed);
  });
});

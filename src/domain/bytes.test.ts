/** What bytes mean: the text rule, strict base64, hashes, byte order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { decodeBase64 } from "./base64";
import { compareUtf8, utf8Length } from "./byte-order";
import { sha256Hex } from "./hash";
import { decodeText } from "./text-kind";

const wellFormed = fc.string({ unit: "binary" });

describe("the text rule", () => {
  const why = (...bytes: number[]) => {
    const result = decodeText(Uint8Array.from(bytes));
    return result.ok ? "text" : result.error.why;
  };

  it("MCP-004: tells text from binary and where it ends to be text", () => {
    expect(why(0x61, 0, 0x62)).toBe("a NUL byte at offset 1");
    expect(why(0x63, 0x61, 0x66, 0xe9, 0x0a)).toBe("invalid UTF-8 at offset 3");
    expect(why(0xed, 0xa0, 0x80)).toBe("invalid UTF-8 at offset 0");
    expect(why(0x61, 0xc0, 0x80)).toBe("invalid UTF-8 at offset 1");
    expect(why(0x61, 0xe2, 0x82)).toBe("invalid UTF-8 at offset 1");
    expect(why(0xf4, 0x90, 0x80, 0x80)).toBe("invalid UTF-8 at offset 0");
    expect(why(0xef, 0xbb, 0xbf, 0x61)).toBe("text");
  });

  it("MCP-031: what decodes encodes to the same bytes, a byte order mark included", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const text = decodeText(bytes);
        if (text.ok) return Buffer.from(text.value).equals(bytes);
        // Everything before the offset is fine; the byte at the offset is what breaks it.
        const { offset } = text.error;
        return offset < bytes.length && (bytes[offset] === 0 || decodeText(bytes.subarray(0, offset)).ok);
      }),
      { seed, numRuns: 20_000 },
    );
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf))).toEqual({ ok: true, value: "\ufeff" });
  });
});

describe("base64", () => {
  it("MCP-030: decodes what standard encoders make", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const decoded = decodeBase64(Buffer.from(bytes).toString("base64"));
        return decoded.ok && Buffer.from(decoded.value).equals(bytes);
      }),
      { seed, numRuns: 5000 },
    );
  });

  it.each([
    ["a", 1],
    ["YQ", 2],
    ["YQ=", 3],
    ["YR==", 1],
    ["YWJ=", 2],
    ["YQ==\n", 2],
    ["Y Q=", 1],
    ["YQ-_", 2],
    ["=", 1],
    ["====", 0],
    ["YQ==YQ==", 2],
    ["é===", 0],
    ["YWI*", 3],
  ])("MCP-030: refuses %j at offset %i", (text, offset) => {
    const decoded = decodeBase64(text);
    expect(decoded.ok ? "decoded" : decoded.error.offset).toBe(offset);
  });

  it("MCP-030: is strict: what it takes is the only text of those bytes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("A", "B", "Q", "/", "+", "=", "z", " ", "-"), maxLength: 9 }),
        (text) => {
          const decoded = decodeBase64(text);
          return decoded.ok === (Buffer.from(text, "base64").toString("base64") === text);
        },
      ),
      { seed, numRuns: 20_000 },
    );
  });
});

describe("hashes and order", () => {
  it("MCP-031: a hash is the SHA-256 of the stored bytes", () => {
    expect(sha256Hex("hello\n")).toBe("5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
    expect(sha256Hex(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x0a))).toBe(
      "be4fccb045869c7ad387b9081a44cfd495b37efc020da4b44542de0d980c747f",
    );
  });

  it("MCP-020: orders names by their UTF-8 bytes, U+FF5E before U+1F600", () => {
    expect(["😀", "～", "a"].sort(compareUtf8)).toEqual(["a", "～", "😀"]);
    fc.assert(
      fc.property(wellFormed, wellFormed, fc.string(), (left, right, shared) => {
        for (const [a, b] of [
          [left, right],
          [shared + left, shared + right],
        ] as const) {
          if (Math.sign(compareUtf8(a, b)) !== Buffer.compare(Buffer.from(a), Buffer.from(b))) return false;
          if (utf8Length(a) !== Buffer.byteLength(a)) return false;
        }
        return true;
      }),
      { seed, numRuns: 20_000 },
    );
  });
});

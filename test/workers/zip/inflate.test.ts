// Entries inflated by the zlib of the Workers runtime, which is not that of Node: what is right takes the fast way, what hides
// bytes behind its stream is refused. All the ways to hide some: src/root/operations/zip/gunzip-exactly.test.ts.
import { deflateRawSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { gunzipExactly } from "../../../src/root/operations/zip/gunzip-exactly";
import { bytesOf, concat, crcOf } from "../../harness/zip-builder";
import { clock } from "../clock";
import { freshRoot } from "../root";
import { codeOf, good, noise, ZipObject } from "./zip-object";

beforeEach(() => clock.reset());

const data = bytesOf("some text that is worth a little deflating, some text ".repeat(4));
const raw = deflateRawSync(data);
const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0);

function trailer(content: Uint8Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setUint32(0, crcOf(content), true);
  bytes.setUint32(4, content.length, true);
  return new Uint8Array(bytes.buffer);
}

describe("An entry in the Workers runtime", () => {
  it.each([1, 4000, 41_152, 64 * 1024, 70_000, 187_362, 365_014, 1024 * 1024])(
    "of %d bytes takes the fast way",
    (size) => {
      const content = noise(size);
      const bytes = gunzipExactly(deflateRawSync(content), size, crcOf(content));
      expect(bytes === null ? null : crcOf(bytes)).toBe(crcOf(content));
    },
  );

  it("is not taken for another that came before it", async () => {
    const zip = new ZipObject(freshRoot());
    await zip.put([
      { name: "long", data: "x".repeat(500) },
      { name: "short", data: "yyyyyyyyyyyyyyyyyyyy" },
    ]);
    good(await zip.open());
    expect(good(await zip.read("short")).content).toBe("yyyyyyyyyyyyyyyyyyyy");
  });

  it.each([
    ["bytes behind the stream", concat([raw, bytesOf("more")])],
    ["a cut stream", raw.subarray(0, -1)],
    ["checksum and size behind the stream", concat([raw, trailer(data)])],
    ["checksum, size and zeros behind the stream", concat([raw, trailer(data), new Uint8Array(9)])],
    ["a second gzip member", concat([raw, trailer(data), header, deflateRawSync("")])],
    ["an empty gzip member before the content", concat([deflateRawSync(""), new Uint8Array(8), header, raw])],
  ])("with %s is refused, and nothing is extracted", async (_, hidden) => {
    expect(gunzipExactly(hidden, data.length, crcOf(data))).toBeNull();
    const zip = new ZipObject(freshRoot());
    await zip.put([
      { name: "right", data },
      { name: "x", data, raw: hidden },
    ]);
    expect(codeOf(await zip.open())).toBe("ZIP_INVALID");
    expect(await zip.root.sql("SELECT path FROM nodes WHERE path LIKE '/.zipfs%'")).toEqual([]);
    await zip.root.expectSound();
  });
});

import { utf8Length } from "./byte-order";

export interface TarFile {
  /** Relative, without a leading slash. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const blockBytes = 512;
const nameMaxBytes = 100;
const encoder = new TextEncoder();

/** Size of the archive, without building it. */
export function tarSize(files: readonly { readonly path: string; readonly size: number }[]): number {
  let size = 2 * blockBytes;
  for (const file of files) {
    size += blockBytes + padded(file.size);
    if (utf8Length(file.path) > nameMaxBytes) size += blockBytes + padded(utf8Length(paxRecord(file.path)));
  }
  return size;
}

/** POSIX ustar of files alone, a pure function of paths and bytes (snapshot.md §11). A path over 100 bytes gets a pax entry. */
export function encodeTar(files: readonly TarFile[]): Uint8Array {
  const archive = new Uint8Array(tarSize(files.map(({ path, bytes }) => ({ path, size: bytes.length }))));
  let at = 0;
  const put = (name: string, type: "0" | "x", body: Uint8Array) => {
    writeHeader(archive.subarray(at, at + blockBytes), name, type, body.length);
    archive.set(body, at + blockBytes);
    at += blockBytes + padded(body.length);
  };
  for (const { path, bytes } of files) {
    if (utf8Length(path) > nameMaxBytes) put("././@PaxHeader", "x", encoder.encode(paxRecord(path)));
    put(path, "0", bytes);
  }
  return archive;
}

function writeHeader(header: Uint8Array, name: string, type: "0" | "x", size: number): void {
  const ascii = (offset: number, text: string) => header.set(encoder.encode(text), offset);
  // encodeInto stops before a character that does not fit whole.
  encoder.encodeInto(name, header.subarray(0, nameMaxBytes));
  ascii(100, "0000644\0");
  ascii(108, "0000000\0");
  ascii(116, "0000000\0");
  ascii(124, `${size.toString(8).padStart(11, "0")}\0`);
  ascii(136, "00000000000\0");
  // The checksum is taken with its own field full of blanks.
  ascii(148, " ".repeat(8));
  ascii(156, type);
  ascii(257, "ustar\0");
  ascii(263, "00");
  const sum = header.reduce((total, byte) => total + byte, 0);
  ascii(148, `${sum.toString(8).padStart(6, "0")}\0 `);
}

/** `LEN path=PATH\n`, where LEN counts the whole record, itself included. */
function paxRecord(path: string): string {
  const rest = utf8Length(` path=${path}\n`);
  let length = rest + 1;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return `${length} path=${path}\n`;
}

function padded(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes;
}

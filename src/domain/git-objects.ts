import { compareUtf8, utf8Length } from "./byte-order";
import { sha1HexOfChunks } from "./hash";

declare const gitOidBrand: unique symbol;
/** Id of a git object in the sha1 format, 40 lower-case hex digits (snapshot.md §4.1). */
export type GitOid = string & { readonly [gitOidBrand]: true };

/** One entry of a directory. `oid` is a blob id for a file, a tree id for a directory. */
export interface TreeEntry {
  readonly name: string;
  readonly type: "file" | "dir";
  readonly oid: GitOid;
}

/** The tree without entries: a root without files. */
export const emptyTreeOid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904" as GitOid;

/** In diffs, the side on which a file does not exist. */
export const absentOid = "0".repeat(40) as GitOid;

const oidBytes = 20;
const fileMode = "100644 ";
const directoryMode = "40000 ";

/** What git hashes before the content of a blob; for content that arrives in pieces. */
export function gitBlobHeader(sizeBytes: number): string {
  return `blob ${sizeBytes}\0`;
}

export function gitBlobId(content: Uint8Array): GitOid {
  return sha1HexOfChunks([gitBlobHeader(content.length), content]) as GitOid;
}

/** Id of a directory. A directory without any file below must not be among the entries: for git it does not exist. */
export function gitTreeId(entries: readonly TreeEntry[]): GitOid {
  const body = encodeTree(entries);
  return sha1HexOfChunks([`tree ${body.length}\0`, body]) as GitOid;
}

/** Git's order within a tree: by the bytes of the names, a directory's as if it ended with `/`. */
export function compareTreeEntries(left: TreeEntry, right: TreeEntry): number {
  return compareUtf8(sortName(left), sortName(right));
}

/** The body of a tree object: `mode SP name NUL` and the id in raw bytes, for each entry in git's order. */
export function encodeTree(entries: readonly TreeEntry[]): Uint8Array {
  const ordered = entries.toSorted(compareTreeEntries);
  let length = 0;
  for (const entry of ordered) length += modeOf(entry).length + utf8Length(entry.name) + 1 + oidBytes;
  const body = new Uint8Array(length);
  const encoder = new TextEncoder();
  let at = 0;
  for (const entry of ordered) {
    at += encoder.encodeInto(`${modeOf(entry)}${entry.name}\0`, body.subarray(at)).written;
    writeHex(body, at, entry.oid);
    at += oidBytes;
  }
  return body;
}

function modeOf(entry: TreeEntry): string {
  return entry.type === "dir" ? directoryMode : fileMode;
}

function sortName(entry: TreeEntry): string {
  return entry.type === "dir" ? `${entry.name}/` : entry.name;
}

function writeHex(target: Uint8Array, at: number, hex: string): void {
  for (let index = 0; index < hex.length / 2; index++) {
    target[at + index] = Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
  }
}

import { encodeBase64 } from "../../../domain/base64";
import type { Sha256 } from "../../../domain/hash";
import { quote } from "../../../domain/quote";
import { err, ok } from "../../../domain/result";
import { invalidParams, pathNotFound } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import type { FileNode } from "../../store/tree";
import { findForPath, type SessionRequest, touch, type ZipOutcome } from "./find-session";

export interface ReadBytesRequest extends SessionRequest {
  readonly path: string;
  /** Null: utf-8 where the file is, else base64. */
  readonly encoding: "utf-8" | "base64" | null;
  readonly offset: number;
  readonly limit: number;
}

export interface BytesRead {
  readonly content: string;
  readonly encoding: "utf-8" | "base64";
  readonly size: number;
  readonly totalSize: number;
  readonly offset: number;
  readonly nextOffset: number | null;
  readonly hash: Sha256;
}

/** The longest character of UTF-8. */
const characterBytesMax = 4;

export async function readWorkspaceFile(root: RootState, request: ReadBytesRequest): Promise<ZipOutcome<BytesRead>> {
  const { path, offset, limit } = request;
  const found = findForPath(root, request, "read");
  if (!found.ok) return found;
  const file = root.tree.find(found.value.at);
  if (file === null) return err(pathNotFound(path));
  if (file.kind === "directory") return err(invalidParams("path", `${quote(path)} is a directory; use zipfs_ls`));
  const encoding = request.encoding === "base64" || !(await isUtf8(root, file)) ? "base64" : "utf-8";
  if (request.encoding === "utf-8" && encoding === "base64") {
    return err(invalidParams("encoding", `${quote(path)} is not valid UTF-8; use encoding="base64"`));
  }
  const length = Math.max(0, Math.min(limit + characterBytesMax, file.size - offset));
  const read = await root.blobs.readRange(file.blob, offset, length, root.now());
  if (encoding === "utf-8" && isContinuation(read[0])) {
    return err(invalidParams("offset", `${offset} is inside a character; start at next_offset of the read before`));
  }
  const end = encoding === "utf-8" ? characterEnd(read, limit) : Math.min(limit, read.length);
  const bytes = read.subarray(0, end);
  touch(root, found.value.session);
  const next = offset + end;
  return ok({
    content: encoding === "utf-8" ? decode(bytes) : encodeBase64(bytes),
    encoding,
    size: end,
    totalSize: file.size,
    offset,
    nextOffset: next < file.size ? next : null,
    hash: file.blob,
  });
}

/** Text is; of other files the verdict is made once, over all bytes, and kept. */
async function isUtf8(root: RootState, { blob, size, lines }: FileNode): Promise<boolean> {
  if (lines !== null) return true;
  const known = root.blobs.utf8Verdict(blob);
  if (known !== null) return known;
  const verdict = await judgeUtf8(root.blobs.readPieces(blob, size, root.now()));
  root.blobs.keepUtf8Verdict(blob, verdict);
  return verdict;
}

async function judgeUtf8(pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const piece of pieces) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The last end of a character within `limit`; at least one character. */
function characterEnd(bytes: Uint8Array, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  if (end > 0) return end;
  end = 1;
  while (end < bytes.length && isContinuation(bytes[end])) end++;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

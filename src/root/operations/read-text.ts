import { firstByteLines, sliceByteLines } from "../../domain/byte-lines";
import type { Sha256 } from "../../domain/hash";
import { inlineBlobMaxBytes, readDefaultMaxBytes } from "../../domain/limits";
import { type LineRange, resolveRange, sliceLines, splitLines } from "../../domain/lines";
import type { RootPath } from "../../domain/path";
import { ok, type Result } from "../../domain/result";
import type { TextError } from "../../domain/text-errors";
import type { TextRead } from "../contract";
import type { RootState } from "../root-state";
import { findText, textOf } from "./find-text";

/**
 * MCP-012. The content is that of the hash it comes with, also if the file changes meanwhile. Null: it is still the version that is
 * known to whoever asks.
 */
export async function readText(
  root: RootState,
  path: RootPath,
  range: LineRange | null,
  known: Sha256 | null,
): Promise<Result<TextRead | null, TextError>> {
  const file = await findText(root, path, "text.read");
  if (!file.ok) return file;
  const { blob: hash, lines: totalLines, size } = file.value;
  if (hash === known) return ok(null);
  if (range === null && size <= readDefaultMaxBytes) {
    return ok({ content: await textOf(root, file.value), hash, totalLines, nextLine: null });
  }
  if (range !== null && size <= inlineBlobMaxBytes) {
    const lines = splitLines(await textOf(root, file.value));
    return ok({ content: sliceLines(lines, resolveRange(range, totalLines)), hash, totalLines, nextLine: null });
  }
  // Of a large text only the part that is asked for is decoded.
  const bytes = await root.blobs.read(hash, root.now());
  if (range !== null) {
    return ok({
      content: decode(sliceByteLines(bytes, resolveRange(range, totalLines))),
      hash,
      totalLines,
      nextLine: null,
    });
  }
  const first = firstByteLines(bytes, readDefaultMaxBytes);
  return ok({ content: decode(first?.bytes ?? bytes), hash, totalLines, nextLine: first?.nextLine ?? null });
}

/** A byte order mark is part of the content; the default would drop it. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

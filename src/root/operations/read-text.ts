import { firstByteLines, sliceByteLines } from "../../domain/byte-lines";
import { readDefaultMaxBytes } from "../../domain/limits";
import { type LineRange, resolveRange } from "../../domain/lines";
import type { RootPath } from "../../domain/path";
import { ok, type Result } from "../../domain/result";
import type { TextError } from "../../domain/text-errors";
import type { TextRead } from "../contract";
import type { RootState } from "../root-state";
import { findText } from "./find-text";

/** MCP-012. The content is that of the hash it comes with, also if the file changes meanwhile. */
export async function readText(
  root: RootState,
  path: RootPath,
  range: LineRange | null,
): Promise<Result<TextRead, TextError>> {
  const file = await findText(root, path, "text.read");
  if (!file.ok) return file;
  const { blob: hash, lines: totalLines } = file.value;
  const bytes = await root.blobs.read(hash, root.now());
  if (range !== null) {
    const content = sliceByteLines(bytes, resolveRange(range, totalLines)).slice();
    return ok({ content, hash, totalLines, nextLine: null });
  }
  const first = firstByteLines(bytes, readDefaultMaxBytes);
  return ok({ content: first?.bytes.slice() ?? bytes, hash, totalLines, nextLine: first?.nextLine ?? null });
}

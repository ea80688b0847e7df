import { textFileMaxBytes } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import { err, ok, type Result } from "../../domain/result";
import { notText, type TextError, tooLarge } from "../../domain/text-errors";
import { decodeText } from "../../domain/text-kind";
import type { RootState } from "../root-state";
import type { FileNode } from "../store/tree";
import { fileAt } from "./find-file";

export interface TextNode extends Pick<FileNode, "path" | "blob" | "size"> {
  readonly lines: number;
}

/** An edit that waited when it was found may have come into the tables since. */
export async function textOf(root: RootState, { path, blob }: TextNode): Promise<string> {
  const waiting = root.journal.latest(path);
  return waiting?.blob === blob ? waiting.text : root.blobs.readText(blob, root.now());
}

/** The text file at the path; existence, then kind, size and text, in the order of text.md §4.2. */
export async function findText(root: RootState, path: RootPath, tool: string): Promise<Result<TextNode, TextError>> {
  const edited = root.journal.latest(path);
  if (edited !== undefined) return ok(edited);
  // No edit of it waits, so the tables know this file; edits of others need not go there for it.
  const node = root.tree.findInTables(path);
  const file = fileAt(path, node, root.tree, `${tool} works on files; see what is in it with file.list`);
  if (!file.ok) return file;
  const { size, lines, blob } = file.value;
  if (size > textFileMaxBytes) return err(tooLarge(path, size, tool, textFileMaxBytes));
  if (lines !== null) return ok({ ...file.value, lines });
  const decoded = decodeText(await root.blobs.read(blob, root.now()));
  if (decoded.ok) throw new Error(`${blob} is text, but its row says otherwise`);
  return err(notText(path, decoded.error.why, decoded.error.offset));
}

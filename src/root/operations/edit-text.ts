import { utf8Length } from "../../domain/byte-order";
import { type Sha256, sha256Hex } from "../../domain/hash";
import { rootBytesMax, textFileMaxBytes } from "../../domain/limits";
import { parentOf, type RootPath } from "../../domain/path";
import { err, ok, type Result } from "../../domain/result";
import { appendText, type Edited, insertLines, replaceLines } from "../../domain/text-edit";
import { type TextError, tooLarge } from "../../domain/text-errors";
import { hasNulWhereTextIsJudged } from "../../domain/text-kind";
import type { TextEdit, TextEdited } from "../contract";
import type { RootState } from "../root-state";
import { findText, type TextNode, textOf } from "./find-text";
import { managedPath } from "./managed-path";
import { overQuota } from "./quota";
import { readFormerText, staleHash } from "./stale-hash";

/** MCP-013 … MCP-015: one edit of the version that the caller has seen. Of two edits of one version exactly one wins. */
export async function editText(
  root: RootState,
  path: RootPath,
  hash: Sha256,
  edit: TextEdit,
): Promise<Result<TextEdited, TextError>> {
  const refused = managedPath(root, path);
  if (refused !== null) return err(refused);
  const tool = `text.${edit.kind}`;
  for (;;) {
    const file = await findText(root, path, tool);
    if (!file.ok) return file;
    if (file.value.blob !== hash) return answerStale(root, file.value, hash, edit);
    const text = await textOf(root, file.value);
    const edited = apply(path, text, edit);
    if (!edited.ok) return edited;
    const { totalLines } = edited.value;
    if (edited.value.text === text) return ok({ hash, totalLines, alreadyApplied: false });
    const bytes = new TextEncoder().encode(edited.value.text);
    if (bytes.length > textFileMaxBytes) return err(tooLarge(path, bytes.length, tool, textFileMaxBytes));
    const written =
      journalEdit(root, file.value, edited.value, bytes) ?? (await store(root, file.value, edited.value, bytes));
    // Null: another edit came first while the bytes were on their way. The caller's version is a former one now.
    if (written !== null) return written.ok ? ok({ hash: written.value, totalLines, alreadyApplied: false }) : written;
  }
}

/** The version that is cited is not the current one. */
async function answerStale(
  root: RootState,
  current: TextNode,
  cited: Sha256,
  edit: TextEdit,
): Promise<Result<TextEdited, TextError>> {
  if (await isApplied(root, current, cited, edit)) {
    return ok({ hash: current.blob, totalLines: current.lines, alreadyApplied: true });
  }
  return err(await staleHash(root, current, cited));
}

function apply(path: RootPath, text: string, edit: TextEdit): Result<Edited, TextError> {
  switch (edit.kind) {
    case "replace":
      return replaceLines(path, text, edit);
    case "insert":
      return insertLines(path, text, edit);
    case "append":
      return ok(appendText(text, edit.content));
  }
}

/** Null: it cannot wait in the journal, or is not for the current version any more. */
function journalEdit(
  root: RootState,
  former: TextNode,
  edited: Edited,
  bytes: Uint8Array,
): Result<Sha256, TextError> | null {
  const { path } = former;
  const { journal, tree } = root;
  if (hasNulWhereTextIsJudged(bytes) || currentBlob(root, path) !== former.blob) return null;
  const growth = bytes.length - former.size;
  // A quota that is near is for those who say what is used.
  if (growth > 0 && tree.usageInTables().bytes + journal.growthBytes + growth > rootBytesMax) return null;
  const nowMs = root.now();
  const { text, totalLines, splice } = edited;
  const edit = { path, blob: sha256Hex(bytes), size: bytes.length, lines: totalLines, atMs: nowMs, splice };
  if (!journal.takes(edit)) return null;
  if (journal.latest(path) === undefined && !journal.hasBase(former.blob)) return null;
  if (journal.isFull) root.settle();
  journal.add(edit, text, former);
  root.blobs.keepText(edit.blob, text, nowMs);
  root.changed({ directories: [parentOf(path)], entriesChanged: false });
  return ok(edit.blob);
}

function currentBlob({ journal, tree }: RootState, path: RootPath): Sha256 | null {
  const waiting = journal.latest(path);
  if (waiting !== undefined) return waiting.blob;
  const node = tree.findInTables(path);
  return node?.kind === "file" ? node.blob : null;
}

/** As content, in one transaction that checks what the edit relies on; null if that is gone. */
async function store(
  root: RootState,
  former: TextNode,
  { text, totalLines }: Edited,
  bytes: Uint8Array,
): Promise<Result<Sha256, TextError> | null> {
  const { path } = former;
  // A NUL byte far behind may have moved into the part that decides. UTF-8 it is: it was made of strings.
  const isText = !hasNulWhereTextIsJudged(bytes);
  const staged = await root.blobs.stage(bytes, isText ? totalLines : null, root.now());
  if (isText) root.blobs.keepText(staged.blob, text, root.now());
  const written = root.transaction((): Result<Sha256, TextError> | null => {
    const current = root.tree.find(path);
    if (current?.kind !== "file" || current.blob !== former.blob) return null;
    const nowMs = root.now();
    const error = overQuota(root.tree, path, { files: 0, bytes: staged.size - current.size });
    if (error !== null) return err(error);
    root.blobs.adopt(staged, nowMs);
    root.tree.replaceFile(current, staged, nowMs);
    root.blobs.condemnUnnamed(root.versions.record(path, current.blob, staged.blob, nowMs), nowMs);
    return ok(staged.blob);
  });
  if (written?.ok) root.changed({ directories: [parentOf(path)], entriesChanged: false });
  return written;
}

/** text.md §6.4: the same edit of the cited version gives exactly what is there now, so an earlier try had arrived. */
async function isApplied(root: RootState, current: TextNode, cited: Sha256, edit: TextEdit): Promise<boolean> {
  const former = await readFormerText(root, current.path, cited, textFileMaxBytes);
  if (former === null) return false;
  const edited = apply(current.path, former.text, edit);
  if (!edited.ok || utf8Length(edited.value.text) !== current.size) return false;
  return edited.value.text === (await root.blobs.readText(current.blob, root.now()));
}

import { type Sha256, sha256Hex } from "../../domain/hash";
import { advanceHistory } from "../../domain/history";
import type { RootPath } from "../../domain/path";
import { applySplice } from "../../domain/splice";
import type { RootState } from "../root-state";
import type { StagedBlob } from "../store/blobs";
import type { LatestEdit, WaitingEdit } from "../store/edit-journal";
import type { FileNode } from "../store/tree";

type Tables = Pick<RootState, "tree" | "blobs" | "versions" | "journal">;

/** Inside one transaction: all edits that wait come into the tables. */
export function settleEdits(root: Tables, nowMs: number): void {
  const chains = new Map<RootPath, WaitingEdit[]>();
  for (const edit of root.journal.waiting) {
    const chain = chains.get(edit.path);
    if (chain === undefined) chains.set(edit.path, [edit]);
    else chain.push(edit);
  }
  for (const [path, chain] of chains) settleChain(root, storedFile(root, path), chain, nowMs);
  root.journal.deleteRows();
}

/** Of the versions on the way only those are stored that the history keeps. */
function settleChain(root: Tables, file: FileNode, chain: readonly WaitingEdit[], nowMs: number): void {
  const last = chain.at(-1) as WaitingEdit;
  const replaced = chain.map((edit, index) => {
    return { blob: chain[index - 1]?.blob ?? file.blob, replacedAtMs: edit.atMs };
  });
  const known = root.versions.of(file.path);
  const { added, dropped } = advanceHistory(known.blobs, replaced, last.blob);
  storeFormer(root, file, chain, new Set(added.map(({ blob }) => blob)), nowMs);
  const staged = stage(root, last, root.journal.latest(file.path)?.text ?? "");
  root.blobs.adopt(staged, nowMs);
  root.tree.replaceFile(file, staged, last.atMs);
  root.versions.change(file.path, known, added, dropped);
  if (dropped.length > 0) root.blobs.condemnUnnamed(dropped, nowMs);
}

/** The versions between the one in the tables and the newest, as far as they are among `named`. */
function storeFormer(
  root: Tables,
  file: FileNode,
  chain: readonly WaitingEdit[],
  named: Set<Sha256>,
  nowMs: number,
): void {
  if (chain.length === 1) return;
  let text = root.blobs.readInlineText(file.blob, nowMs);
  for (const edit of chain.slice(0, -1)) {
    text = applySplice(text, edit.splice);
    if (named.delete(edit.blob)) root.blobs.adopt(stage(root, edit, text), nowMs);
  }
}

function stage({ blobs }: Tables, edit: WaitingEdit, text: string): StagedBlob {
  const staged = blobs.stageInline(new TextEncoder().encode(text), edit.lines);
  if (staged.blob !== edit.blob) throw notMadeAgain(edit);
  return staged;
}

/** After the object had gone: the edits that wait are made again, from what the tables have. */
export function restoreEdits(root: Tables, nowMs: number): void {
  for (const { seq, path, blob, size, lines, atMs, splice } of root.journal.rows()) {
    const base = root.journal.latest(path) ?? storedText(root, path, nowMs);
    const text = applySplice(base.text, splice);
    root.journal.hold(seq, { path, blob, size, lines, atMs, splice, text }, base);
  }
  // Those on the way are held against their hashes when they are stored.
  for (const edit of root.journal.newest()) {
    if (sha256Hex(new TextEncoder().encode(edit.text)) !== edit.blob) throw notMadeAgain(edit);
    root.blobs.keepText(edit.blob, edit.text, nowMs);
  }
}

function notMadeAgain({ path, blob }: WaitingEdit): Error {
  return new Error(`the edit of ${path} that leads to ${blob} cannot be made again`);
}

function storedText(root: Tables, path: RootPath, nowMs: number): Pick<LatestEdit, "blob" | "size" | "text"> {
  const { blob, size } = storedFile(root, path);
  return { blob, size, text: root.blobs.readInlineText(blob, nowMs) };
}

function storedFile({ tree }: Tables, path: RootPath): FileNode {
  const node = tree.find(path);
  if (node?.kind !== "file") throw new Error(`edits wait for ${path}, and no file is there`);
  return node;
}

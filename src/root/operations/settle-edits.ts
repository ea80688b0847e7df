import { type Sha256, sha256Hex } from "../../domain/hash";
import { advanceHistory } from "../../domain/history";
import type { RootPath } from "../../domain/path";
import { applySplice } from "../../domain/splice";
import type { RootState } from "../root-state";
import type { WaitingEdit } from "../store/edit-journal";
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
  const { added, dropped } = advanceHistory(root.versions.of(file.path), replaced, last.blob);
  const named = new Set<Sha256>([...added.map(({ blob }) => blob), last.blob]);
  let text = root.blobs.readInlineText(file.blob, nowMs);
  for (const { blob, size, lines, splice } of chain) {
    text = applySplice(text, splice);
    if (!named.delete(blob)) continue;
    const staged = root.blobs.stageInline(new TextEncoder().encode(text), lines);
    if (staged.blob !== blob) throw new Error(`the edit of ${file.path} that leads to ${blob} cannot be made again`);
    root.blobs.adopt(staged, nowMs);
    if (blob === last.blob) root.tree.replaceFile(file, { ...staged, size }, last.atMs);
  }
  root.versions.change(file.path, added, dropped);
  root.blobs.condemnUnnamed(dropped, nowMs);
}

/** After the object had gone: the edits that wait are made again, from what the tables have. */
export function restoreEdits(root: Tables, nowMs: number): void {
  for (const { seq, path, blob, size, lines, atMs, splice } of root.journal.rows()) {
    const base = root.journal.latest(path) ?? storedText(root, path, nowMs);
    const text = applySplice(base.text, splice);
    if (sha256Hex(text) !== blob) throw new Error(`the edit of ${path} that leads to ${blob} cannot be made again`);
    root.journal.hold(seq, { path, blob, size, lines, atMs, splice, text }, base.size);
  }
}

function storedText(root: Tables, path: RootPath, nowMs: number): { readonly text: string; readonly size: number } {
  const { blob, size } = storedFile(root, path);
  return { text: root.blobs.readInlineText(blob, nowMs), size };
}

function storedFile({ tree }: Tables, path: RootPath): FileNode {
  const node = tree.find(path);
  if (node?.kind !== "file") throw new Error(`edits wait for ${path}, and no file is there`);
  return node;
}

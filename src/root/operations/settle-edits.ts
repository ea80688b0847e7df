import { type Sha256, sha256Hex } from "../../domain/hash";
import { advanceHistory } from "../../domain/history";
import type { RootPath } from "../../domain/path";
import { applySplice } from "../../domain/splice";
import type { RootState } from "../root-state";
import type { StagedBlob } from "../store/blobs";
import type { WaitingEdit } from "../store/edit-journal";
import type { FileNode } from "../store/tree";

type Tables = Pick<RootState, "tree" | "blobs" | "versions" | "journal" | "now">;

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

/** After the object had gone: the edits wait again. Their texts are made again when somebody asks for them. */
export function restoreEdits(root: Tables): void {
  root.journal.restore((edit) => makeAgain(root, edit));
}

/** From what the tables have. Of the versions on the way, those that are stored are held against their hashes then. */
function makeAgain(root: Tables, edit: WaitingEdit): string {
  let text = root.blobs.readInlineText(storedFile(root, edit.path).blob, root.now());
  for (const each of root.journal.waiting) {
    if (each.path === edit.path) text = applySplice(text, each.splice);
    if (each === edit) break;
  }
  if (sha256Hex(new TextEncoder().encode(text)) !== edit.blob) throw notMadeAgain(edit);
  return text;
}

function notMadeAgain({ path, blob }: WaitingEdit): Error {
  return new Error(`the edit of ${path} that leads to ${blob} cannot be made again`);
}

function storedFile({ tree }: Tables, path: RootPath): FileNode {
  const node = tree.findInTables(path);
  if (node?.kind !== "file") throw new Error(`edits wait for ${path}, and no file is there`);
  return node;
}

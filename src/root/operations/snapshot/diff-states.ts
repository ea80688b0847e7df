import { utf8Length } from "../../../domain/byte-order";
import { diffFile } from "../../../domain/diff";
import { diffMaxBytes, textFileMaxBytes } from "../../../domain/limits";
import type { SnapshotId } from "../../../domain/manifest";
import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { overLimit } from "../../../domain/snapshot-errors";
import type { DiffText, Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { ViewFile } from "../../view/tree-view";
import { absent } from "./absent";
import { baseView, changesBetween, type FileChange } from "./compare-states";
import { reportDamage } from "./report-damage";
import { beyondScope } from "./scope-check";
import { withView } from "./with-view";

/** Null: what the snapshot was derived from, or nothing. */
export async function defaultBase(
  root: RootState,
  { snapshotId }: ViewRequest,
  from: SnapshotId | null,
): Promise<Outcome<SnapshotId | null>> {
  if (from !== null || snapshotId === null) return ok(from);
  const snapshot = await root.snapshots.load(snapshotId);
  return snapshot.ok ? ok(snapshot.value.derivedFrom) : snapshot;
}

/** snapshot.md §7.5. */
export async function diffStates(
  root: RootState,
  view: ViewRequest,
  path: RootPath,
  from: SnapshotId | null,
): Promise<Outcome<Viewed<DiffText>>> {
  const base = await defaultBase(root, view, from);
  if (!base.ok) return base;
  const before = await baseView(root, base.value);
  if (!before.ok) return before;
  return reportDamage(root, [base.value], () =>
    withView(root, view, async (tree) => {
      const old = before.value.filesBelow(path);
      const now = tree.filesBelow(path);
      const isThere = old.length + now.length > 0 || tree.isDirectory(path) || before.value.isDirectory(path);
      if (!isThere) return err(absent(root, view, path));
      const forbidden = beyondScope(view.scopes, "read", path, [...old, ...now]);
      if (forbidden !== null) return err(forbidden);
      const diff = await diffOf(root, changesBetween(old, now));
      if (!diff.ok) return diff;
      return ok({ value: { ...diff.value, from: base.value }, touched: now.map((file) => file.path) });
    }),
  );
}

async function diffOf(root: RootState, changes: readonly FileChange[]): Promise<Outcome<Omit<DiffText, "from">>> {
  let diff = "";
  let bytes = 0;
  let added = 0;
  let removed = 0;
  for (const { path, before, after } of changes) {
    const section = diffFile(path, await sideOf(root, before), await sideOf(root, after), diffMaxBytes - bytes);
    if (section === null) {
      return err(overLimit("DIFF_MAX", diffMaxBytes, diffMaxBytes + 1, "Narrow path to a directory or file."));
    }
    diff += section.text;
    bytes += utf8Length(section.text);
    added += section.added;
    removed += section.removed;
  }
  return ok({ diff, files: changes.length, added, removed });
}

/** A file that is too large for the text tools is compared as binary. */
async function sideOf(root: RootState, file: ViewFile | null) {
  if (file === null) return null;
  const isText = file.lines !== null && file.size <= textFileMaxBytes;
  return { oid: file.gitOid, text: isText ? await root.blobs.readText(file.blob, root.now()) : null };
}

import { compareUtf8 } from "../../../domain/byte-order";
import type { SnapshotId } from "../../../domain/manifest";
import { type RootPath, rootDirectory } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import type { Scope } from "../../../domain/scopes";
import type { Change, ChangePage, Outcome } from "../../contract";
import type { RootState } from "../../root-state";
import { baseView, changesBetween, type FileChange } from "./compare-states";
import { defaultBase } from "./diff-states";
import { reportDamage } from "./report-damage";
import { beyondScope } from "./scope-check";

export interface ChangesRequest {
  readonly snapshotId: SnapshotId;
  readonly from: SnapshotId | null;
  readonly pairsRenames: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly scopes: readonly Scope[];
}

/** snapshot.md §7.6. */
export async function listChanges(root: RootState, request: ChangesRequest): Promise<Outcome<ChangePage>> {
  const { snapshotId, scopes } = request;
  const base = await defaultBase(root, { snapshotId, leaseId: null, scopes }, request.from);
  if (!base.ok) return base;
  return reportDamage(root, [base.value, snapshotId], () => changesSince(root, base.value, request));
}

async function changesSince(
  root: RootState,
  base: SnapshotId | null,
  request: ChangesRequest,
): Promise<Outcome<ChangePage>> {
  const { snapshotId, scopes, limit, offset } = request;
  const before = await baseView(root, base);
  if (!before.ok) return before;
  const after = await baseView(root, snapshotId);
  if (!after.ok) return after;
  const differing = changesBetween(before.value.filesBelow(rootDirectory), after.value.filesBelow(rootDirectory));
  const forbidden = beyondScope(scopes, "read", rootDirectory, differing);
  if (forbidden !== null) return err(forbidden);
  const changes = request.pairsRenames ? pairRenames(differing) : differing.map(changeOf);
  const count = (status: Change["status"]) => changes.filter((change) => change.status === status).length;
  return ok({
    from: base,
    changes: changes.slice(offset, offset + limit),
    counts: {
      added: count("added"),
      modified: count("modified"),
      deleted: count("deleted"),
      renamed: count("renamed"),
    },
    total: changes.length,
  });
}

function changeOf({ path, before, after }: FileChange): Change {
  return { path, status: before === null ? "added" : after === null ? "deleted" : "modified" };
}

/** Of each content, the i-th deleted path becomes the i-th added one. Nothing is guessed, and empty files pair with nothing. */
function pairRenames(differing: readonly FileChange[]): Change[] {
  const deleted = new Map<string, RootPath[]>();
  for (const { path, before, after } of differing) {
    if (before === null || after !== null || before.size === 0) continue;
    const paths = deleted.get(before.blob);
    if (paths === undefined) deleted.set(before.blob, [path]);
    else paths.push(path);
  }
  const gone = new Set<RootPath>();
  const changes = differing.map((change): Change => {
    const from = change.before === null ? deleted.get(change.after?.blob ?? "")?.shift() : undefined;
    if (from === undefined) return changeOf(change);
    gone.add(from);
    return { path: change.path, status: "renamed", from };
  });
  return changes
    .filter((change) => change.status !== "deleted" || !gone.has(change.path))
    .sort((left, right) => compareUtf8(left.path, right.path));
}

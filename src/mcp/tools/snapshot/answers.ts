import { z } from "zod";
import type { RootPath } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok, type Result } from "../../../domain/result";
import type { SnapshotFailure } from "../../../domain/snapshot-errors";
import type { LiveReceipt, ViewReceipt } from "../../../root/contract";
import { ForbiddenByLookup } from "../../call-context";
import type { ToolError } from "../../tool";

/** The shapes of answers (seed 002 §5). The hints are constants of the schemas, and every answer is built here. */

export const fingerprintOutput = z.strictObject({
  head_oid: z.string(),
  index_oid: z.string(),
  status_hash: z.string(),
});

export const snapshotIdOutput = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const worktreeFields = {
  lease_id: z.uuid(),
  fingerprint: fingerprintOutput,
  cache_hint: z.literal("until_dirty"),
} as const;

const immutableFields = { snapshot_id: snapshotIdOutput, cache_hint: z.literal("immutable") } as const;

/** The answer of a tool that works in both modes. */
export function hybridOutput<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.union([
    z.strictObject({ mode: z.literal("snapshot"), ...fields, ...immutableFields }),
    z.strictObject({ mode: z.literal("worktree"), ...fields, ...worktreeFields }),
  ]);
}

export function immutableOutput<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.strictObject({ ...fields, ...immutableFields });
}

export function worktreeOutput<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.strictObject({ ...fields, ...worktreeFields });
}

export function hybridAnswer<Fields extends object>(receipt: ViewReceipt, fields: Fields) {
  if (receipt.mode === "worktree") return { mode: "worktree" as const, ...fields, ...worktreePart(receipt) };
  return {
    mode: "snapshot" as const,
    ...fields,
    snapshot_id: receipt.snapshotId as string,
    cache_hint: "immutable" as const,
  };
}

export function worktreePart({ leaseId, fingerprint }: Omit<LiveReceipt, "mode">) {
  return {
    lease_id: leaseId as string,
    fingerprint: fingerprintPart(fingerprint),
    cache_hint: "until_dirty" as const,
  };
}

export function fingerprintPart({ head_oid, index_oid, status_hash }: LiveReceipt["fingerprint"]) {
  return { head_oid: head_oid as string, index_oid: index_oid as string, status_hash: status_hash as string };
}

export function repoPaths(paths: readonly RootPath[]): string[] {
  return paths.map(repoPathOf);
}

/** What an operation answered; a reach beyond the token's scopes leaves the tool altogether. */
export function settled<T>(outcome: Result<T, SnapshotFailure>): Result<T, ToolError> {
  if (outcome.ok) return ok(outcome.value);
  const { error } = outcome;
  if (error.code === "FORBIDDEN") throw new ForbiddenByLookup(error.need);
  return err(error);
}

import { z } from "zod";
import { rootDirectory } from "../../../domain/path";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { fingerprintOutput, fingerprintPart, immutableOutput, settled } from "./answers";
import { ignoredRepoRoot, optionalLeaseArgument, parsePaths, pathsArgument } from "./arguments";

const nothingCaptured = 'Nothing was captured: pass paths ("." for everything) or a lease_id that has read something.';

/** Seed 002 §3.1. */
export const snapshotCreate = defineTool({
  name: "snapshot.create",
  family: "snapshot",
  title: "Create snapshot",
  description:
    "Create an immutable snapshot of the given paths, or of all files seen under a lease. The same state always has the same id.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({ lease_id: optionalLeaseArgument, paths: pathsArgument(null) }),
  output: immutableOutput({
    fingerprint: fingerprintOutput,
    files: z.int(),
    total_bytes: z.int(),
    hint: z.string().optional(),
  }),
  plan(input) {
    const paths = input.paths === undefined ? ok(null) : parsePaths(input.paths);
    if (!paths.ok) return paths;
    const anything = { verb: "read", path: rootDirectory, anywhere: true } as const;
    return ok({
      needs: paths.value?.map((path) => ({ verb: "read" as const, path })) ?? [anything],
      async run(context) {
        const request = { leaseId: input.lease_id ?? null, paths: paths.value, scopes: context.principal.scopes };
        const created = settled(await context.ask((root, caller) => root.createSnapshot(caller, request)));
        if (!created.ok) return created;
        const { snapshotId, fingerprint, files, totalBytes } = created.value;
        return ok({
          snapshot_id: snapshotId as string,
          fingerprint: fingerprintPart(fingerprint),
          files,
          total_bytes: totalBytes,
          cache_hint: "immutable" as const,
          ...(files === 0 && input.paths === undefined && { hint: nothingCaptured }),
        });
      },
    });
  },
});

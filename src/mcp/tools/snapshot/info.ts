import { z } from "zod";
import { rootDirectory } from "../../../domain/path";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { fingerprintOutput, fingerprintPart, immutableOutput, settled, snapshotIdOutput } from "./answers";
import { ignoredRepoRoot, snapshotArgument } from "./arguments";

/** snapshot.md §7.7. */
export const snapshotInfo = defineTool({
  name: "snapshot.info",
  family: "snapshot",
  title: "About a snapshot",
  description: "Tell the fingerprint, size and origin of a snapshot.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({ snapshot_id: snapshotArgument }),
  output: immutableOutput({
    fingerprint: fingerprintOutput,
    manifest_stats: z.strictObject({ files: z.int(), total_bytes: z.int() }),
    manifest_hash: z.string(),
    derived_from: snapshotIdOutput.nullable(),
    applied_patch_hash: z.string().nullable(),
  }),
  plan: (input) =>
    ok({
      needs: [{ verb: "read", path: rootDirectory, anywhere: true }],
      async run(context) {
        const found = settled(await context.ask((root, caller) => root.snapshotInfo(caller, input.snapshot_id)));
        if (!found.ok) return found;
        const { fingerprint, files, totalBytes, manifestHash, derivedFrom, appliedPatchHash } = found.value;
        return ok({
          snapshot_id: input.snapshot_id as string,
          fingerprint: fingerprintPart(fingerprint),
          manifest_stats: { files, total_bytes: totalBytes },
          manifest_hash: manifestHash,
          derived_from: derivedFrom as string | null,
          applied_patch_hash: appliedPatchHash,
          cache_hint: "immutable" as const,
        });
      },
    }),
});

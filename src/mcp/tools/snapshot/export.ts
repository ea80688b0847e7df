import { z } from "zod";
import { base64String } from "../../../domain/content-string";
import { sha256Hex } from "../../../domain/hash";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { hybridAnswer, hybridOutput, settled } from "./answers";
import { chooseView, ignoredRepoRoot, parsePaths, pathsArgument, viewArguments, wordArgument } from "./arguments";

/** snapshot.md §11. */
export const snapshotExport = defineTool({
  name: "snapshot.export",
  family: "snapshot",
  title: "Export files",
  description: "Export files of the live tree or of a snapshot as one deterministic bundle, tar or JSON.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    ...viewArguments,
    paths: pathsArgument(["."]),
    format: wordArgument("format", ["tar", "json"], "The kind of bundle."),
  }),
  output: hybridOutput({
    format: z.enum(["tar", "json"]),
    bundle: z.string(),
    summary: z.strictObject({
      files: z.int(),
      total_bytes: z.int(),
      bundle_bytes: z.int(),
      bundle_sha256: z.string(),
    }),
  }),
  plan(input) {
    const choice = chooseView(input);
    if (!choice.ok) return choice;
    const paths = parsePaths(input.paths ?? ["."]);
    if (!paths.ok) return paths;
    const format = input.format ?? "tar";
    return ok({
      needs: paths.value.map((path) => ({ verb: "read" as const, path })),
      async run(context) {
        const view = { ...choice.value, scopes: context.principal.scopes };
        const exported = settled(
          await context.ask((root, caller) => root.exportFiles(caller, view, paths.value, format)),
        );
        if (!exported.ok) return exported;
        const { receipt, value } = exported.value;
        return ok(
          hybridAnswer(receipt, {
            format,
            bundle: base64String(value.bytes),
            summary: {
              files: value.files,
              total_bytes: value.totalBytes,
              bundle_bytes: value.bytes.length,
              bundle_sha256: sha256Hex(value.bytes) as string,
            },
          }),
        );
      },
    });
  },
});

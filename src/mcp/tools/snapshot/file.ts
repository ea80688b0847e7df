import { z } from "zod";
import { contentStringOf } from "../../../domain/content-string";
import { repoPathOf } from "../../../domain/repo-path";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { hybridAnswer, hybridOutput, settled } from "./answers";
import { chooseView, ignoredRepoRoot, parsePath, pathArgument, viewArguments } from "./arguments";

/** snapshot.md §7.3. */
export const snapshotFile = defineTool({
  name: "snapshot.file",
  family: "snapshot",
  title: "Read file",
  description: "Read one file of the live tree or of a snapshot, text or binary, with its hash and git id.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({ ...viewArguments, path: pathArgument }),
  output: hybridOutput({
    path: z.string(),
    kind: z.enum(["text", "binary"]),
    encoding: z.enum(["utf-8", "base64"]),
    content: z.string(),
    size: z.int(),
    sha: z.string(),
    hash: z.string(),
    eol: z.enum(["lf", "crlf", "mixed"]).optional(),
  }),
  plan(input) {
    const choice = chooseView(input);
    if (!choice.ok) return choice;
    const path = parsePath(input.path);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "read", path: path.value }],
      async run(context) {
        const view = { ...choice.value, scopes: context.principal.scopes };
        const read = settled(await context.ask((root, caller) => root.readFile(caller, view, path.value)));
        if (!read.ok) return read;
        const { receipt, value } = read.value;
        return ok(
          hybridAnswer(receipt, {
            path: repoPathOf(path.value),
            kind: value.isText ? ("text" as const) : ("binary" as const),
            ...contentStringOf(value.bytes),
            size: value.size,
            sha: value.gitOid as string,
            hash: value.hash as string,
            ...(value.isText && { eol: lineEndingOf(value.bytes) }),
          }),
        );
      },
    });
  },
});

const newline = 0x0a;
const carriageReturn = 0x0d;

function lineEndingOf(bytes: Uint8Array): "lf" | "crlf" | "mixed" {
  let lines = 0;
  let withReturn = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    lines++;
    if (bytes[at - 1] === carriageReturn) withReturn++;
  }
  if (withReturn === 0) return "lf";
  return withReturn === lines ? "crlf" : "mixed";
}

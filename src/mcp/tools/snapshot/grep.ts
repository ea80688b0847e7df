import { z } from "zod";
import { compileQuery } from "../../../domain/grep/compile-query";
import { grepDefaultFiles, grepDefaultMatches, grepMaxFiles, grepMaxMatches } from "../../../domain/limits";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok } from "../../../domain/result";
import { argument, optionalArgument } from "../../argument";
import { defineTool } from "../../tool";
import { parseInteger } from "../paging";
import { hybridAnswer, hybridOutput, settled } from "./answers";
import {
  chooseView,
  flagArgument,
  ignoredRepoRoot,
  parsePaths,
  parseString,
  pathsArgument,
  viewArguments,
  wordArgument,
} from "./arguments";

/** snapshot.md §10. */
export const snapshotGrep = defineTool({
  name: "snapshot.grep",
  family: "snapshot",
  title: "Search files",
  description:
    "Search text files of the live tree or of a snapshot for a literal or a regular expression (RE2), line by line.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  ignored: ignoredRepoRoot,
  input: z.strictObject({
    ...viewArguments,
    query: argument({ type: "string", minLength: 1, description: "What to look for within a line." }, (value) =>
      parseString(value, "query"),
    ),
    paths: pathsArgument(["."]),
    regex: flagArgument("regex", false, "Take query as a regular expression."),
    case_sensitive: flagArgument("case_sensitive", true, "Tell upper from lower case."),
    ignore_rules: wordArgument("ignore_rules", ["git", "none"], "git leaves out what .gitignore files exclude."),
    max_files: countArgument("max_files", grepDefaultFiles, grepMaxFiles),
    max_matches: countArgument("max_matches", grepDefaultMatches, grepMaxMatches),
  }),
  output: hybridOutput({
    query: z.string(),
    matches: z.array(
      z.strictObject({
        path: z.string(),
        lines: z.array(
          z.strictObject({ line: z.int(), col: z.int(), text: z.string(), cut: z.literal(true).optional() }),
        ),
      }),
    ),
    files_searched: z.int(),
    truncated: z.boolean(),
  }),
  plan(input) {
    const choice = chooseView(input);
    if (!choice.ok) return choice;
    const { query, regex = false, case_sensitive: caseSensitive = true } = input;
    const compiled = compileQuery({ query, regex, caseSensitive });
    if (!compiled.ok) {
      return err({ code: "INVALID_ARGUMENT", message: compiled.error.message, details: { argument: "query" } });
    }
    const paths = parsePaths(input.paths ?? ["."]);
    if (!paths.ok) return paths;
    return ok({
      needs: paths.value.map((path) => ({ verb: "read" as const, path })),
      async run(context) {
        const view = { ...choice.value, scopes: context.principal.scopes };
        const grep = {
          query,
          regex,
          caseSensitive,
          paths: paths.value,
          honoursGitignore: input.ignore_rules !== "none",
          maxFiles: input.max_files ?? grepDefaultFiles,
          maxMatches: input.max_matches ?? grepDefaultMatches,
        };
        const found = settled(await context.ask((root, caller) => root.grepFiles(caller, view, grep)));
        if (!found.ok) return found;
        const { receipt, value } = found.value;
        return ok(
          hybridAnswer(receipt, {
            query,
            matches: value.found.map(({ path, lineNumbers, columns, texts, cut }) => {
              const isCut = new Set(cut);
              return {
                path: repoPathOf(path),
                lines: texts.map((text, index) => ({
                  line: lineNumbers[index] as number,
                  col: columns[index] as number,
                  text,
                  ...(isCut.has(index) && { cut: true as const }),
                })),
              };
            }),
            files_searched: value.filesSearched,
            truncated: value.truncated,
          }),
        );
      },
    });
  },
});

function countArgument(name: string, fallback: number, max: number) {
  return optionalArgument({ type: "integer", minimum: 1, maximum: max, default: fallback }, (value) =>
    parseInteger(value, name, 1, max),
  );
}

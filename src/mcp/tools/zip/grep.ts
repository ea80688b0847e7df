import { z } from "zod";
import { zipGrepMaxContext, zipGrepMaxResults, zipPatternMaxCharacters } from "../../../domain/limits";
import { err, ok } from "../../../domain/result";
import { invalidParams } from "../../../domain/zip/zip-errors";
import { defineTool } from "../../tool";
import {
  flagArgument,
  integerArgument,
  optionalStringArgument,
  parsePath,
  placeArgument,
  sessionArgument,
  sessionOf,
  settled,
  stringArgument,
} from "./arguments";

const defaultResults = 100;

/** zipfs.md §4. */
export const zipfsGrep = defineTool({
  name: "zipfs_grep",
  family: "zip",
  title: "Search workspace",
  description: "Search the text files of a zip workspace line by line with a regular expression (RE2 syntax).",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    session: sessionArgument,
    pattern: stringArgument("pattern", `Regular expression of at most ${zipPatternMaxCharacters} characters.`),
    path: placeArgument,
    glob: optionalStringArgument("glob", "Only files that match, such as *.txt or data/**/*.{csv,tsv}."),
    ignore_case: flagArgument("ignore_case", false, "Upper and lower case are the same."),
    max_results: integerArgument("max_results", 1, zipGrepMaxResults, "Matches in the answer.", defaultResults),
    context_lines: integerArgument("context_lines", 0, zipGrepMaxContext, "Lines around each match.", 0),
  }),
  output: z.strictObject({
    matches: z.array(
      z.strictObject({
        file: z.string(),
        line_number: z.int(),
        line_content: z.string(),
        before: z.array(z.string()).optional(),
        after: z.array(z.string()).optional(),
      }),
    ),
    total_matches: z.int(),
    truncated: z.boolean(),
    skipped_binary: z.int(),
    incomplete: z.boolean(),
  }),
  plan(input) {
    const path = parsePath(input.path);
    if (!path.ok) return path;
    const { pattern, glob = null, ignore_case: ignoresCase = false } = input;
    const { max_results: maxResults = defaultResults, context_lines: contextLines = 0 } = input;
    if ([...pattern].length > zipPatternMaxCharacters) {
      return err(invalidParams("pattern", `it is too long; give at most ${zipPatternMaxCharacters} characters`));
    }
    return ok({
      needs: [],
      async run(context) {
        const { scopes } = context.principal;
        const search = { path: path.value, pattern, glob, ignoresCase, maxResults, contextLines };
        const request = { session: sessionOf(input), scopes, ...search };
        const found = settled(await context.ask((root, caller) => root.grepWorkspace(caller, request)));
        if (!found.ok) return found;
        const { matches, total, skippedBinary, incomplete } = found.value;
        return ok({
          matches: matches.map(({ file, lineNumber, line, before, after }) => ({
            file,
            line_number: lineNumber,
            line_content: line,
            ...(contextLines > 0 && { before: [...before], after: [...after] }),
          })),
          total_matches: total,
          truncated: incomplete || total > matches.length,
          skipped_binary: skippedBinary,
          incomplete,
        });
      },
    });
  },
});

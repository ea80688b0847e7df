import { RE2JS, RE2JSException } from "re2js";
import { utf8Length } from "../byte-order";
import { grepInstructionsMax, grepQueryMaxBytes } from "../limits";
import { err, ok, type Result } from "../result";
import { LineCursor, type LineMatch } from "./line-cursor";
import { createLiteralSearch, type OffsetSearch } from "./literal-search";
import { RegexSearch } from "./regex-search";
import { needsOfExpression, type TextNeeds } from "./text-needs";
import type { WorkMeter } from "./work-meter";

export interface Query {
  readonly query: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
}

export interface QueryError {
  /** Complete text of an INVALID_ARGUMENT, naming the argument. */
  readonly message: string;
}

export interface LineMatcher {
  /** What a text with a match has. One that lacks it gives no matches and takes no work, so it need not even be read. */
  readonly needs: TextNeeds | null;
  /**
   * The matches in a decoded text, by line and column, found as they are asked for. Ends early when `work` is used up.
   * Keeps what it learned of the expression from one text to the next; a matcher of its own for every call makes answers repeatable.
   */
  matches(text: string, work: WorkMeter): Generator<LineMatch, void>;
}

const metacharacter = /[\\.+*?()|[\]{}^$]/;

/** snapshot.md §10.2: lines, code points, RE2's syntax and meaning, linear time. */
export function compileQuery(query: Query, maxBytes = grepQueryMaxBytes): Result<LineMatcher, QueryError> {
  const problem = problemOf(query.query, maxBytes);
  if (problem !== null) return err({ message: `query: ${problem}.` });
  const search = searchFor(query);
  return search.ok ? ok(matcherOf(search.value)) : search;
}

function problemOf(query: string, maxBytes: number): string | null {
  if (query === "") return "an empty string was given; give the text or expression to look for";
  if (!query.isWellFormed()) return "the text has a lone surrogate; give well-formed Unicode";
  if (query.includes("\n")) return "a line break was given, but matching is per line; look for one line at a time";
  const bytes = utf8Length(query);
  return bytes > maxBytes ? `${bytes} bytes were given; at most ${maxBytes} are allowed` : null;
}

function searchFor({ query, regex, caseSensitive }: Query): Result<OffsetSearch, QueryError> {
  if (!regex || !metacharacter.test(query)) return ok(createLiteralSearch(query, caseSensitive));
  const compiled = compile(query, caseSensitive);
  if (!compiled.ok) return compiled;
  const instructions = compiled.value.programSize();
  if (instructions > grepInstructionsMax) {
    return err({
      message: `query: expression too large: its repetitions make ${instructions} instructions, at most ${grepInstructionsMax} are allowed.`,
    });
  }
  return ok(new RegexSearch(compiled.value, undefined, caseSensitive ? null : foldedNeeds(query)));
}

function compile(query: string, caseSensitive: boolean): Result<RE2JS, QueryError> {
  try {
    return ok(RE2JS.compile(query, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE));
  } catch (thrown) {
    if (!(thrown instanceof RE2JSException)) throw thrown;
    // With the flag, some messages would quote a `(?i)` that nobody wrote.
    if (!caseSensitive) return compile(query, true);
    return err({ message: `query: ${thrown.message}; the syntax is RE2's, without look-around and backreferences.` });
  }
}

function foldedNeeds(query: string): TextNeeds | null {
  const withCase = compile(query, true);
  return withCase.ok ? needsOfExpression(withCase.value, false) : null;
}

function matcherOf(search: OffsetSearch): LineMatcher {
  return {
    needs: search.needs,
    *matches(text, work) {
      const cursor = new LineCursor(text);
      for (const offset of search.starts(text, work)) yield cursor.locate(offset);
    },
  };
}

import { parseSha256, type Sha256 } from "./hash";
import { type LineRange, wantedLines } from "./lines";
import { err, ok, type Result } from "./result";
import { invalidArgument, shown, type TextError } from "./text-errors";

/** The pure checks of arguments, before paths, scopes and any lookup (text.md §4.2 step 1). */

export function parseRange(value: unknown, argument = "lines"): Result<LineRange, TextError> {
  const wanted = "give two integers [start, end)";
  if (!Array.isArray(value)) return err(invalidArgument(argument, `${shown(value)} is not an array`, wanted));
  if (value.length !== 2) return err(invalidArgument(argument, `${shown(value)} has ${value.length} elements`, wanted));
  if (!value.every(Number.isInteger))
    return err(invalidArgument(argument, `${shown(value)} has a non-integer`, wanted));
  return ok([value[0], value[1]]);
}

/** The `line` of text.insert: any integer but 0, which is no line. */
export function parseLineNumber(value: unknown, argument = "line"): Result<number, TextError> {
  if (Number.isInteger(value) && value !== 0) return ok(value as number);
  return err(
    invalidArgument(
      argument,
      `${shown(value)} is not a line`,
      "give an integer from 1, or from -1 backwards for lines from the end",
    ),
  );
}

/** Lone surrogates would silently become U+FFFD, a NUL would make the text binary (text.md §7.1). */
export function parseText(value: unknown, argument: string): Result<string, TextError> {
  if (typeof value !== "string")
    return err(invalidArgument(argument, `${shown(value)} is not a string`, "give a string"));
  if (!value.isWellFormed())
    return err(invalidArgument(argument, "the text has a lone surrogate", "give well-formed Unicode"));
  const nul = value.indexOf("\0");
  if (nul !== -1)
    return err(invalidArgument(argument, `the text has a NUL character at offset ${nul}`, "give text without U+0000"));
  return ok(value);
}

/** MCP-046: the anchor is one line, with or without its `\n`. */
export function parseAnchor(value: unknown, argument = "anchor"): Result<string, TextError> {
  const text = parseText(value, argument);
  if (!text.ok) return text;
  const lines = wantedLines(text.value);
  if (lines.length === 1) return ok(lines[0] as string);
  return err(
    invalidArgument(
      argument,
      `${shown(value)} has ${lines.length} lines`,
      "give the full content of the one line at that place",
    ),
  );
}

export function parseHash(value: unknown, argument = "hash"): Result<Sha256, TextError> {
  const hash = parseSha256(value);
  if (hash !== null) return ok(hash);
  return err(
    invalidArgument(
      argument,
      `${shown(value)} is not a hash`,
      "give the 64 lower-case hex digits that text.read or the last edit returned",
    ),
  );
}

import { type RootPath, rootDirectory } from "../path";
import { quote } from "../quote";
import { findEscape, findHome, parseInside, type RepoPathError } from "../repo-path";
import { err, ok, type Result } from "../result";
import { atLine, crlfPatch, malformed, type PatchSyntaxError } from "./patch-errors";
import { unquoteName } from "./unquote";

/** A name as the patch has it. It is judged only when the whole patch is parsed (snapshot.md §9.2). */
export interface PatchName {
  /** Unquoted, not stripped. */
  readonly raw: string;
  /** Stripped and without `.` and `//`; null if it has too few components. */
  readonly stripped: string | null;
  /** `rename` and `copy` lines have no `a/`. */
  readonly isPrefixed: boolean;
  readonly line: number;
}

/** What `---` and `+++` say of a side on which the file does not exist. */
export const devNull = "/dev/null";

/** `text` is what follows the keyword: a name up to a TAB or the end, or one in quotes. Null stands for `/dev/null`. */
export function readPrefixedName(
  text: string,
  line: number,
  strip: number,
): Result<PatchName | null, PatchSyntaxError> {
  const raw = readName(text, line);
  if (!raw.ok) return raw;
  if (raw.value === devNull && !text.startsWith('"')) return ok(null);
  return ok(prefixedName(raw.value, line, strip));
}

export function readBareName(text: string, line: number, strip: number): Result<PatchName, PatchSyntaxError> {
  const raw = readName(text, line);
  if (!raw.ok) return raw;
  const stripped = stripName(raw.value, Math.max(0, strip - 1));
  return ok({ raw: raw.value, stripped, isPrefixed: false, line });
}

function readName(text: string, line: number): Result<string, PatchSyntaxError> {
  if (text.endsWith("\r")) return crlfPatch(line);
  if (!text.startsWith('"')) {
    const tab = text.indexOf("\t");
    return ok(tab === -1 ? text : text.slice(0, tab));
  }
  const unquoted = unquoteName(text, 0);
  if (!unquoted || (unquoted.end < text.length && text[unquoted.end] !== "\t")) return badQuoting(text, line);
  return ok(unquoted.name);
}

/**
 * The two names of `diff --git`, if they are one name on both sides: unquoted names may contain spaces, so only equal halves can be
 * told apart. Null if they are not; then other lines have to name the files.
 */
export function readHeaderNames(
  text: string,
  line: number,
  strip: number,
): Result<readonly [PatchName, PatchName] | null, PatchSyntaxError> {
  if (text.endsWith("\r")) return crlfPatch(line);
  const halves = text.startsWith('"') ? splitAfterQuoted(text) : (splitBeforeQuoted(text) ?? splitPlain(text, strip));
  if (halves === "malformed") return badQuoting(text, line);
  if (halves === null) return ok(null);
  const [left, right] = halves.map((half) => prefixedName(half, line, strip)) as [PatchName, PatchName];
  return ok(left.stripped !== null && left.stripped === right.stripped ? [left, right] : null);
}

type Halves = readonly [string, string];

function splitAfterQuoted(text: string): Halves | "malformed" {
  const left = unquoteName(text, 0);
  if (!left || text[left.end] !== " ") return "malformed";
  if (text[left.end + 1] !== '"') return [left.name, text.slice(left.end + 1)];
  const right = unquoteName(text, left.end + 1);
  return right?.end === text.length ? [left.name, right.name] : "malformed";
}

function splitBeforeQuoted(text: string): Halves | null {
  const space = text.indexOf(' "');
  const right = space === -1 ? null : unquoteName(text, space + 1);
  return right?.end === text.length ? [text.slice(0, space), right.name] : null;
}

/**
 * The further right the halves part, the longer is what remains of the left and the shorter that of the right: at most one place fits.
 * It is found by halving, because a header may be as long as a patch.
 */
function splitPlain(text: string, strip: number): Halves | null {
  const leftFrom = stripOffset(text, 0, strip);
  let [low, high] = [leftFrom, text.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const rightFrom = stripOffset(text, middle + 1, strip);
    const excess = middle - leftFrom - (text.length - rightFrom);
    if (excess === 0) {
      const isOneName = text[middle] === " " && text.slice(leftFrom, middle) === text.slice(rightFrom);
      return isOneName && leftFrom < middle ? [text.slice(0, middle), text.slice(middle + 1)] : null;
    }
    if (excess < 0) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}

/** Where the name that begins at `from` goes on after `count` components; the length if it has no more. */
function stripOffset(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; left--) {
    while (text[at] === "/") at++;
    at = text.indexOf("/", at);
    if (at === -1) return text.length;
    while (text[at] === "/") at++;
  }
  return at;
}

function prefixedName(raw: string, line: number, strip: number): PatchName {
  return { raw, stripped: stripName(raw, strip), isPrefixed: true, line };
}

function stripName(raw: string, count: number): string | null {
  const components = raw.split("/").filter((component) => component !== "");
  if (components.length <= count) return null;
  return (
    components
      .slice(count)
      .filter((component) => component !== ".")
      .join("/") || "."
  );
}

/** snapshot.md §2.2 for a name of a patch. What stood before it was stripped counts too, so that no prefix hides an escape. */
export function judgeName({ raw, stripped, isPrefixed, line }: PatchName): Result<RootPath, PatchSyntaxError> {
  const argument = atLine(line);
  const hidden = findEscape(raw, argument) ?? (isPrefixed ? findHome(raw, argument) : null);
  if (hidden) return refused(hidden, line);
  if (stripped === null) {
    return malformed(line, `the name ${quote(raw)} has too few components for strip`, "give a smaller strip");
  }
  const open = findEscape(stripped, argument);
  if (open) return refused(open, line);
  const path = parseInside(stripped, argument);
  if (!path.ok) return refused(path.error, line);
  if (path.value === rootDirectory) {
    const message = `${argument}: ${quote(raw)} is the root itself, which no patch can change; name a file.`;
    return err({ code: "PERMISSION_DENIED", message, line });
  }
  return path;
}

function refused(error: RepoPathError, line: number): Result<never, PatchSyntaxError> {
  const code = error.class === "escape" ? "PERMISSION_DENIED" : "INVALID_ARGUMENT";
  return err({ code, message: error.message, line });
}

function badQuoting(text: string, line: number) {
  return malformed(line, `the quoted name in ${quote(text)} is malformed`, 'write "…" with C escapes that give UTF-8');
}

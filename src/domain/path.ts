import { utf8Length } from "./byte-order";
import { pathDepthMax, pathMaxBytes, segmentMaxBytes } from "./limits";
import { quote } from "./quote";
import { err, ok, type Result } from "./result";

declare const rootPathBrand: unique symbol;
/** A normalized path of a user's root: `/`, or `/` and names joined by `/`. Only `normalizePath` makes one out of foreign text. */
export type RootPath = string & { readonly [rootPathBrand]: true };

export interface PathError {
  /** Complete text of an INVALID_ARGUMENT, naming the argument. */
  readonly message: string;
}

export const rootDirectory = "/" as RootPath;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbiddenCharacter = /[\\\u0000-\u001f\u007f]/;
const driveLetter = /^[A-Za-z]:/;
/** What nearly every path is made of: names of these characters mean themselves. */
const plainPath = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/;
/** So short that no other limit can be exceeded: a name takes two characters at least. */
const plainPathMax = 2 * pathDepthMax;
/** Characters that macOS file systems ignore, so that a name with them may still be `.git` there. */
const ignoredByMacOs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `s`, because U+2028 would otherwise end what `.` matches. No `u`: case is ignored for ASCII only. */
const gitDirectoryName = /^(\.git|git~1)[ .]*(:.*)?$/is;

/**
 * The one meaning of a path for files, texts, listings and scopes (MCP-025 … MCP-028, AUTH-040, AUTH-041; text.md §2.1).
 * It comes before authorization and before any lookup. Nothing is clamped: what leaves the root is refused.
 */
export function normalizePath(raw: unknown, argument = "path"): Result<RootPath, PathError> {
  if (typeof raw === "string" && raw.length <= plainPathMax && plainPath.test(raw)) return ok(raw as RootPath);
  if (typeof raw !== "string")
    return refuse(argument, `${kindOf(raw)} was given`, 'give a path as a string, such as "/notes/a.md"');
  if (!raw.isWellFormed()) return refuse(argument, "the text has a lone surrogate", "give well-formed Unicode");
  if (raw === "") return refuse(argument, "an empty string was given", 'give a path such as "/notes/a.md"');
  const forbidden = forbiddenCharacter.exec(raw);
  if (forbidden)
    return refuse(
      argument,
      `${quote(raw)} contains ${characterName(forbidden[0])}`,
      'separate names with "/" and leave out control characters',
    );
  // MCP-028: a Windows path must not come to mean a file of that name.
  if (driveLetter.test(raw)) return refuseDrive(argument, raw);

  const segments: string[] = [];
  for (const segment of raw.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    // MCP-026, MCP-027
    else if (segments.pop() === undefined) {
      return err({ message: `${argument}: ${quote(raw)} leaves the root through "..".` });
    }
  }
  if (segments[0] !== undefined && driveLetter.test(segments[0])) return refuseDrive(argument, raw);
  return withinLimits(argument, raw, segments);
}

function withinLimits(argument: string, raw: string, segments: readonly string[]): Result<RootPath, PathError> {
  for (const segment of segments) {
    if (isGitDirectoryName(segment)) {
      return refuse(
        argument,
        `${quote(raw)} contains the name ${quote(segment)}, which git keeps for itself`,
        "choose another name",
      );
    }
    const bytes = utf8Length(segment);
    if (bytes > segmentMaxBytes) {
      return refuse(argument, `the name ${quote(segment)} has ${bytes} bytes`, `a name has at most ${segmentMaxBytes}`);
    }
  }
  if (segments.length > pathDepthMax) {
    return refuse(argument, `${quote(raw)} has ${segments.length} names`, `a path has at most ${pathDepthMax}`);
  }
  const path = `/${segments.join("/")}`;
  const bytes = utf8Length(path);
  if (bytes > pathMaxBytes)
    return refuse(argument, `${quote(raw)} has ${bytes} bytes`, `a path has at most ${pathMaxBytes}`);
  return ok(path as RootPath);
}

/** A name that git cannot hold in a tree, or that some file system would take for the repository itself (text.md §2.3). */
export function isGitDirectoryName(name: string): boolean {
  return gitDirectoryName.test(name.replace(ignoredByMacOs, ""));
}

/** The directory that holds `path`; the root holds itself. */
export function parentOf(path: RootPath): RootPath {
  const slash = path.lastIndexOf("/");
  return (slash <= 0 ? "/" : path.slice(0, slash)) as RootPath;
}

/** The last name of `path`, `""` for the root. */
export function nameOf(path: RootPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `path` itself or anything below it. `/work` holds `/work/a`, not `/workfiles`. */
export function isAtOrBelow(path: RootPath, directory: RootPath): boolean {
  if (directory === "/" || path === directory) return true;
  return path.length > directory.length && path.charCodeAt(directory.length) === 0x2f && path.startsWith(directory);
}

/** Every directory above `path`, the root first. */
export function ancestorsOf(path: RootPath): RootPath[] {
  if (path === "/") return [];
  const ancestors: RootPath[] = [rootDirectory];
  for (let slash = path.indexOf("/", 1); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    ancestors.push(path.slice(0, slash) as RootPath);
  }
  return ancestors;
}

function refuse(argument: string, given: string, wanted: string): Result<never, PathError> {
  return err({ message: `${argument}: ${given}; ${wanted}.` });
}

function refuseDrive(argument: string, raw: string): Result<never, PathError> {
  return refuse(
    argument,
    `${quote(raw)} begins with a drive letter`,
    'give a path from the root, such as "/notes/a.md"',
  );
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

function characterName(character: string): string {
  if (character === "\\") return "a backslash";
  return `the control character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

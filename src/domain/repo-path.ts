import { normalizePath, type RootPath, rootDirectory } from "./path";
import { quote } from "./quote";
import { err, type Result } from "./result";

/** Paths as `snapshot.*` and `workspace.*` take and give them: `notes/a.md`, and `.` for the root (snapshot.md §2). */

export interface RepoPathError {
  /** An escape is PERMISSION_DENIED where something is written; a name that cannot be is INVALID_ARGUMENT everywhere. */
  readonly class: "escape" | "name";
  /** Complete, naming the argument. */
  readonly message: string;
}

const driveLetter = /^[A-Za-z]:/;
const example = '"notes/a.md"';

/** Unlike `normalizePath`, which follows `..` inside the root, this refuses every way of pointing out of it (seed 002 §1.2). */
export function parseRepoPath(raw: unknown, argument = "path"): Result<RootPath, RepoPathError> {
  if (typeof raw !== "string" || raw === "") {
    const given = raw === "" ? "an empty string was given" : "no string was given";
    return err({
      class: "name",
      message: `${argument}: ${given}; give a path such as ${example}, or "." for the root.`,
    });
  }
  const refusal = findEscape(raw, argument) ?? findHome(raw, argument);
  return refusal === null ? parseInside(raw, argument) : err(refusal);
}

/** A name that is known to be no escape. */
export function parseInside(raw: string, argument: string): Result<RootPath, RepoPathError> {
  const path = normalizePath(raw, argument);
  return path.ok ? path : err({ class: "name", message: path.error.message });
}

export function repoPathOf(path: RootPath): string {
  return path === rootDirectory ? "." : path.slice(1);
}

/** Absolute paths, drives and `..`, wherever they stand: `a/../b` too. */
export function findEscape(raw: string, argument: string): RepoPathError | null {
  if (raw.startsWith("/")) {
    const wanted = raw.replace(/^\/+/, "") || ".";
    return escapes(argument, `${quote(raw)} begins with "/"`, `paths are relative to the root: give ${quote(wanted)}`);
  }
  const segments = raw.split("/");
  const first = segments.find((segment) => segment !== "" && segment !== ".");
  if (first !== undefined && driveLetter.test(first)) {
    return escapes(argument, `${quote(raw)} begins with a drive letter`, `give a path such as ${example}`);
  }
  if (segments.includes("..")) {
    return escapes(argument, `${quote(raw)} contains ".."`, `give the path itself, such as ${example}`);
  }
  return null;
}

/** A shell would take `~` for a home directory. Only the raw beginning counts, so that every file can be named. */
export function findHome(raw: string, argument: string): RepoPathError | null {
  if (!raw.startsWith("~")) return null;
  const wanted = `there are no home directories; a file of that name is ${quote(`./${raw}`)}`;
  return escapes(argument, `${quote(raw)} begins with "~"`, wanted);
}

function escapes(argument: string, given: string, wanted: string): RepoPathError {
  return { class: "escape", message: `${argument}: ${given} and so points out of the root; ${wanted}.` };
}

import { utf8Length } from "../byte-order";
import { segmentMaxBytes, zipPathDepthMax, zipPathMaxBytes } from "../limits";
import { isGitDirectoryName, type RootPath } from "../path";
import { quote } from "../quote";
import { err, ok, type Result } from "../result";
import { invalidParams, pathEscapes, type ZipError } from "./zip-errors";

declare const workspacePathBrand: unique symbol;
/** A path relative to the contents of a workspace: names joined by `/`, `""` for the contents themselves. */
export type WorkspacePath = string & { readonly [workspacePathBrand]: true };

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbiddenCharacter = /[\\\u0000-\u001f\u007f]/;
const driveLetter = /^[A-Za-z]:/;

/** zipfs.md §2.2. */
export function parseWorkspacePath(raw: string, writes = false): Result<WorkspacePath, ZipError> {
  const segments = raw.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..") || driveLetter.test(segments[0] ?? "")) return err(pathEscapes(raw));
  if (!raw.isWellFormed()) return refuse("the text has a lone surrogate; give well-formed Unicode");
  if (forbiddenCharacter.test(raw)) {
    return refuse(`${quote(raw)} has a backslash or a control character; separate names with "/"`);
  }
  const path = segments.join("/");
  if (segments.some((segment) => utf8Length(segment) > segmentMaxBytes)) {
    return refuse(`${quote(raw)} has a name of more than ${segmentMaxBytes} bytes`);
  }
  if (utf8Length(path) > zipPathMaxBytes) {
    return refuse(`${quote(raw)} has more than ${zipPathMaxBytes} bytes; give a shorter path`);
  }
  if (segments.length > zipPathDepthMax) {
    return refuse(`${quote(raw)} has more than ${zipPathDepthMax} names; give a shorter path`);
  }
  const reserved = segments.find(isGitDirectoryName);
  if (writes && reserved !== undefined) {
    return refuse(`${quote(reserved)} is a name that git keeps for itself; choose another name`);
  }
  return ok(path as WorkspacePath);
}

export const workspacesDirectory = "/.zipfs/workspaces" as RootPath;
export const backupsDirectory = "/.zipfs/backups" as RootPath;

/** Where a session's files are; the directory is named like the session, or by its id. */
export function contentsPath(session: { readonly id: string; readonly name: string }): RootPath {
  return `${workspacesDirectory}/${session.name || session.id}/contents` as RootPath;
}

export function inWorkspace(contents: RootPath, path: string): RootPath {
  return (path === "" ? contents : `${contents}/${path}`) as RootPath;
}

const belowContents = /^\/\.zipfs\/workspaces\/([^/]+)\/contents\/./;

/** The directory name of the workspace whose contents hold the path; null for everything else. */
export function workspaceHolding(path: RootPath): string | null {
  return belowContents.exec(path)?.[1] ?? null;
}

function refuse(what: string): Result<never, ZipError> {
  return err(invalidParams("path", what));
}

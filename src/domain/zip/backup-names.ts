import { utf8Length } from "../byte-order";
import { pathMaxBytes, segmentMaxBytes } from "../limits";
import { nameOf, parentOf, type RootPath } from "../path";
import { backupsDirectory } from "./workspace-path";

/** The newest first: `/r/q4.bak.zip`, `/r/q4.bak.2.zip` … (zipfs.md §6.4). Null where such names cannot be. */
export function siblingBackups(source: RootPath, count: number): RootPath[] | null {
  const directory = parentOf(source);
  const paths = backupNames(nameOf(source), count).map((name) => `${directory === "/" ? "" : directory}/${name}`);
  const fit = paths.every((path) => utf8Length(path) <= pathMaxBytes && utf8Length(lastName(path)) <= segmentMaxBytes);
  return fit ? (paths as RootPath[]) : null;
}

/** The names in the session's own folder, for where siblings may not be. */
export function folderBackups(sessionId: string, source: RootPath, count: number): RootPath[] {
  const names = backupNames(nameOf(source), count);
  const usable = names.every((name) => utf8Length(name) <= segmentMaxBytes) ? names : backupNames("archive.zip", count);
  return usable.map((name) => `${backupsDirectory}/${sessionId}/${name}` as RootPath);
}

function backupNames(name: string, count: number): string[] {
  const dot = name.lastIndexOf(".");
  // A leading dot is no extension.
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  return Array.from({ length: count }, (_, index) => `${stem}.bak${index === 0 ? "" : `.${index + 1}`}${extension}`);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

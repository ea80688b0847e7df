import { parentOf, type RootPath, rootDirectory } from "../path";
import { toByteString } from "./byte-string";
import { parseIgnoreRules } from "./ignore-rule";
import { IgnoreRules } from "./ignore-rules";
import type { WorkMeter } from "./work-meter";

/** The text of the `.gitignore` in a directory of the view, null where there is none. Asked once for each directory on the way. */
export type IgnoreFileAt = (directory: RootPath) => string | null;

interface Directory {
  /** With a `/` behind every name, as byte string; empty for the root. */
  readonly prefix: string;
  readonly parent: Directory | null;
  readonly excluded: boolean;
  readonly rules: IgnoreRules | null;
}

/**
 * Tells which files and directories gitignore(5) excludes (snapshot.md §10.3): rules of deeper directories win, later ones of the same file win, and
 * below an excluded directory nothing comes back, nor is a `.gitignore` there read. Case-sensitive; no other source of rules.
 * Once the work is exhausted, what it tells has no meaning.
 */
export function createIgnoreFilter(
  ignoreFileAt: IgnoreFileAt,
  work: WorkMeter,
): (path: RootPath, isDirectory?: boolean) => boolean {
  const directories = new Map<RootPath, Directory>();

  function directoryAt(path: RootPath): Directory {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const made = path === rootDirectory ? rootOf(path) : below(directoryAt(parentOf(path)), path);
    directories.set(path, made);
    return made;
  }

  function rootOf(path: RootPath): Directory {
    return { prefix: "", parent: null, excluded: false, rules: rulesAt(path) };
  }

  function below(parent: Directory, path: RootPath): Directory {
    const name = toByteString(path.slice(1));
    const excluded = parent.excluded || isExcluded(parent, name, true);
    return { prefix: `${name}/`, parent, excluded, rules: excluded ? null : rulesAt(path) };
  }

  function rulesAt(path: RootPath): IgnoreRules | null {
    const content = ignoreFileAt(path);
    return content === null ? null : new IgnoreRules(parseIgnoreRules(toByteString(content)), work);
  }

  return (path, isDirectory = false) => {
    const parent = directoryAt(parentOf(path));
    return parent.excluded || isExcluded(parent, toByteString(path.slice(1)), isDirectory);
  };
}

/** Judged by the last rule that matches, of the deepest directory that has one. */
function isExcluded(parent: Directory, path: string, isDirectory: boolean): boolean {
  const name = path.slice(parent.prefix.length);
  for (let directory: Directory | null = parent; directory !== null; directory = directory.parent) {
    const rule = directory.rules?.lastMatch(name, path.slice(directory.prefix.length), isDirectory);
    if (rule !== undefined) return !rule.negated;
  }
  return false;
}

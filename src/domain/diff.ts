import { utf8Length } from "./byte-order";
import { formatHunks, type Hunks } from "./diff-hunks";
import { diffLines } from "./diff-lines";
import { absentOid, type GitOid } from "./git-objects";
import { splitLines } from "./lines";
import type { RootPath } from "./path";

/** One version of a file. */
export interface DiffSide {
  readonly oid: GitOid;
  /** `null` if the file is binary. */
  readonly text: string | null;
}

/** A section of a diff, with counts of lines; empty if the sides are equal. */
export type FileDiff = Hunks;

/**
 * What `git diff --full-index --no-renames` prints for one path (snapshot.md §8), `null` for a side on which it does not exist.
 * The result is `null` if it would take more than `maxBytes`; that is found out early and at bounded cost.
 */
export function diffFile(
  path: RootPath,
  before: DiffSide | null,
  after: DiffSide | null,
  maxBytes: number,
): FileDiff | null {
  if (before?.oid === after?.oid) return { text: "", added: 0, removed: 0 };
  const from = label("a", path);
  const to = label("b", path);
  const head = `diff --git ${from} ${to}\n${modeAndIndex(before, after)}`;
  const beforeName = before === null ? "/dev/null" : from;
  const afterName = after === null ? "/dev/null" : to;
  const beforeText = before === null ? "" : before.text;
  const afterText = after === null ? "" : after.text;
  if (beforeText === null || afterText === null) {
    return withinBytes(`${head}Binary files ${beforeName} and ${afterName} differ\n`, maxBytes);
  }
  if (beforeText === afterText) return withinBytes(head, maxBytes);

  const names = `${head}--- ${withTab(beforeName)}\n+++ ${withTab(afterName)}\n`;
  const hunksMaxBytes = maxBytes - utf8Length(names);
  const beforeLines = splitLines(beforeText);
  const afterLines = splitLines(afterText);
  const changes = diffLines(beforeLines, afterLines, hunksMaxBytes);
  const hunks = changes && formatHunks(beforeLines, afterLines, changes, hunksMaxBytes);
  return hunks && { ...hunks, text: names + hunks.text };
}

function modeAndIndex(before: DiffSide | null, after: DiffSide | null): string {
  const index = `index ${before?.oid ?? absentOid}..${after?.oid ?? absentOid}`;
  if (before === null) return `new file mode 100644\n${index}\n`;
  if (after === null) return `deleted file mode 100644\n${index}\n`;
  return `${index} 100644\n`;
}

/** Quoted only for `"`: names have no backslash and no control character, and other bytes stay as they are. */
function label(side: "a" | "b", path: RootPath): string {
  const name = `${side}${path}`;
  return name.includes('"') ? `"${name.replaceAll('"', '\\"')}"` : name;
}

/** A TAB tells where a name with spaces ends. */
function withTab(name: string): string {
  return name.includes(" ") ? `${name}\t` : name;
}

function withinBytes(text: string, maxBytes: number): FileDiff | null {
  return utf8Length(text) <= maxBytes ? { text, added: 0, removed: 0 } : null;
}

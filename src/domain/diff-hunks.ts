import { utf8Length } from "./byte-order";
import type { LineChanges } from "./diff-lines";
import type { Lines } from "./lines";

export interface Hunks {
  readonly text: string;
  /** Counts of lines. */
  readonly added: number;
  readonly removed: number;
}

const contextLines = 3;
const noNewline = "\n\\ No newline at end of file\n";

/** Lines removed and the lines that stand for them. Positions are 0-based, ends exclusive. */
interface Change {
  readonly beforeFrom: number;
  readonly beforeTo: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

/** The hunks of snapshot.md §8.1; null if they take more than `maxBytes`. */
export function formatHunks(before: Lines, after: Lines, changes: LineChanges, maxBytes: number): Hunks | null {
  const parts: string[] = [];
  let bytes = 0;
  let added = 0;
  let removed = 0;
  const push = (part: string) => {
    parts.push(part);
    bytes += utf8Length(part);
  };
  const pushLines = (sign: string, { text, starts }: Lines, from: number, to: number) => {
    for (let index = from; index < to && bytes <= maxBytes; index++) {
      const line = text.slice(starts[index], starts[index + 1]);
      push(line.endsWith("\n") ? sign + line : sign + line + noNewline);
    }
  };

  for (const hunk of groupChanges(changes)) {
    const first = hunk[0] as Change;
    const last = hunk[hunk.length - 1] as Change;
    const lead = Math.min(contextLines, first.beforeFrom);
    const trail = Math.min(contextLines, before.count - last.beforeTo);
    const old = range(first.beforeFrom - lead, last.beforeTo + trail);
    push(`@@ -${old} +${range(first.afterFrom - lead, last.afterTo + trail)} @@\n`);
    let common = first.beforeFrom - lead;
    for (const change of hunk) {
      pushLines(" ", before, common, change.beforeFrom);
      pushLines("-", before, change.beforeFrom, change.beforeTo);
      pushLines("+", after, change.afterFrom, change.afterTo);
      removed += change.beforeTo - change.beforeFrom;
      added += change.afterTo - change.afterFrom;
      common = change.beforeTo;
    }
    pushLines(" ", before, common, common + trail);
    if (bytes > maxBytes) return null;
  }
  return { text: parts.join(""), added, removed };
}

/** `start,count`; the count is left out if 1, and without lines the start is the line before. */
function range(from: number, to: number): string {
  const count = to - from;
  if (count === 1) return `${from + 1}`;
  return `${count === 0 ? from : from + 1},${count}`;
}

/** Changes whose contexts touch share a hunk. */
function* groupChanges(changes: LineChanges): Generator<Change[]> {
  let group: Change[] = [];
  let end = 0;
  for (const change of listChanges(changes)) {
    if (group.length > 0 && change.beforeFrom - end > 2 * contextLines) {
      yield group;
      group = [];
    }
    group.push(change);
    end = change.beforeTo;
  }
  if (group.length > 0) yield group;
}

function* listChanges({ removed, added }: LineChanges): Generator<Change> {
  let before = 0;
  let after = 0;
  while (before < removed.length || after < added.length) {
    if (removed[before] !== 1 && added[after] !== 1) {
      before++;
      after++;
      continue;
    }
    const beforeFrom = before;
    const afterFrom = after;
    while (removed[before] === 1) before++;
    while (added[after] === 1) after++;
    yield { beforeFrom, beforeTo: before, afterFrom, afterTo: after };
  }
}

import { quote } from "../quote";
import { ok, type Result } from "../result";
import type { Hunk } from "./patch";
import { crlfPatch, malformed, type PatchSyntaxError } from "./patch-errors";
import type { PatchLines } from "./patch-lines";

const context = 0x20;
const removal = 0x2d;
const addition = 0x2b;
const marker = 0x5c;
const emptyLine = 0x0a;

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?= |$)/;
const headerForm = "write @@ -START,COUNT +START,COUNT @@";

/** Reads the hunk whose `@@` is the current line, and leaves the cursor after it (snapshot.md §9.1, §9.2). */
export function parseHunk(lines: PatchLines): Result<Hunk, PatchSyntaxError> {
  const line = lines.lineNumber;
  const head = parseHeader(lines.text, line);
  if (!head.ok) return head;
  lines.advance();
  const bodyFrom = lines.start;
  const body = readBody(lines, line, head.value);
  if (!body.ok) return body;
  const { lineIndex, oldCount, newCount } = head.value;
  return ok({ line, lineIndex, oldCount, newCount, ...body.value, bodyFrom, bodyTo: lines.start });
}

interface HunkHeader {
  readonly lineIndex: number;
  readonly oldCount: number;
  readonly newCount: number;
}

function parseHeader(text: string, line: number): Result<HunkHeader, PatchSyntaxError> {
  const match = header.exec(text);
  if (!match) {
    const isCrlf = text.endsWith("\r") && header.test(text.slice(0, -1));
    return isCrlf ? crlfPatch(line) : malformed(line, `malformed hunk header ${quote(text)}`, headerForm);
  }
  const [oldStart, oldCount, newStart, newCount] = [match[1], match[2] ?? 1, match[3], match[4] ?? 1].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (![oldStart, oldCount, newStart, newCount].every(Number.isSafeInteger)) {
    return malformed(line, `malformed hunk header ${quote(text)}`, "give smaller numbers");
  }
  if (oldCount === 0 && newCount === 0)
    return malformed(line, "the hunk has neither old nor new lines", "leave it out");
  if (oldStart === 0 && oldCount > 0) {
    return malformed(line, "the old side has lines but begins at line 0", "lines count from 1");
  }
  // The new start is not checked: it follows from the other hunks.
  return ok({ lineIndex: oldCount === 0 ? oldStart : oldStart - 1, oldCount, newCount });
}

type HunkBody = Pick<Hunk, "oldBytes" | "newBytes" | "oldUnterminated" | "newUnterminated">;

function readBody(lines: PatchLines, hunkLine: number, head: HunkHeader): Result<HunkBody, PatchSyntaxError> {
  let oldLeft = head.oldCount;
  let newLeft = head.newCount;
  let [oldBytes, newBytes] = [0, 0];
  let [oldUnterminated, newUnterminated] = [false, false];
  let changesLines = false;
  let before: number | null = null;

  for (; !lines.done; lines.advance()) {
    const sign = lines.sign === emptyLine ? context : lines.sign;
    if (sign === marker) {
      const isOnOld = before === context || before === removal;
      const isOnNew = before === context || before === addition;
      const misplaced = markerProblem(lines, before, (isOnOld && oldLeft > 0) || (isOnNew && newLeft > 0));
      if (misplaced) return misplaced;
      oldUnterminated ||= isOnOld;
      newUnterminated ||= isOnNew;
      before = null;
      continue;
    }
    if (oldLeft === 0 && newLeft === 0) break;
    const isOld = sign === context || sign === removal;
    const isNew = sign === context || sign === addition;
    if (!isOld && !isNew) break;
    if ((isOld && oldLeft === 0) || (isNew && newLeft === 0)) return tooFew(lines.lineNumber, hunkLine);
    // A line that is empty altogether has no sign either.
    const lineBytes = lines.end - lines.start + (lines.sign === emptyLine ? 1 : 0);
    if (isOld) {
      oldLeft--;
      oldBytes += lineBytes;
    }
    if (isNew) {
      newLeft--;
      newBytes += lineBytes;
    }
    changesLines ||= sign !== context;
    before = sign;
  }

  if (oldLeft > 0 || newLeft > 0) {
    const given = `the hunk of line ${hunkLine} ends here, but its header announces ${oldLeft} more old and ${newLeft} more new lines`;
    return malformed(lines.lineNumber, given, "correct the counts, and begin each line with a space, - or +");
  }
  if (continuesHunk(lines)) return tooFew(lines.lineNumber, hunkLine);
  if (!changesLines) return malformed(hunkLine, "the hunk changes nothing", "add lines with - or +, or leave it out");
  oldBytes -= oldUnterminated ? 1 : 0;
  newBytes -= newUnterminated ? 1 : 0;
  return ok({ oldBytes, newBytes, oldUnterminated, newUnterminated });
}

function markerProblem(lines: PatchLines, before: number | null, isEarly: boolean) {
  if (!lines.startsWith("\\ ")) {
    return malformed(
      lines.lineNumber,
      `${quote(lines.text)} begins with a backslash`,
      "write \\ No newline at end of file",
    );
  }
  if (before === null) {
    return malformed(
      lines.lineNumber,
      "the marker for a missing newline follows no line",
      "put it after the line it means",
    );
  }
  if (isEarly) {
    return malformed(
      lines.lineNumber,
      "the marker for a missing newline is not on the last line of its side",
      "only the last line of a file can lack its newline",
    );
  }
  return null;
}

/** More lines of a hunk where its counts say that it is complete. A mail signature and the names of the next file look alike. */
function continuesHunk(lines: PatchLines): boolean {
  if (lines.done) return false;
  const { sign } = lines;
  if (sign === context || sign === addition) return true;
  if (sign !== removal) return false;
  const isSignature = lines.startsWith("-- ") && lines.end - lines.start === 3;
  return !isSignature && !lines.isNamePair;
}

function tooFew(line: number, hunkLine: number) {
  const given = `the hunk of line ${hunkLine} has more lines than its header announces`;
  return malformed(line, given, "correct the counts in its @@ line");
}

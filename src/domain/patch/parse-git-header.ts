import { quote } from "../quote";
import { ok, type Result } from "../result";
import { crlfPatch, malformed, type PatchSyntaxError } from "./patch-errors";
import type { PatchLines } from "./patch-lines";
import { type PatchName, readBareName, readHeaderNames } from "./patch-names";

/** `diff --git` and the lines of information after it. */
export interface GitHeader {
  readonly line: number;
  /** Of `diff --git`, if both halves name one file. */
  readonly names: readonly [PatchName, PatchName] | null;
  readonly modes: ReadonlyMap<ModeKeyword, string>;
  /** The mode at the end of the `index` line. */
  readonly indexMode: string | null;
  readonly moves: ReadonlyMap<MoveKeyword, PatchName>;
}

const modeKeywords = ["old mode", "new mode", "new file mode", "deleted file mode"] as const;
const moveKeywords = ["rename from", "rename to", "copy from", "copy to"] as const;
export type ModeKeyword = (typeof modeKeywords)[number];
export type MoveKeyword = (typeof moveKeywords)[number];

const mode = /^[0-7]{1,7}$/;
const modeForm = "write a mode such as 100644";

/** Reads the header whose `diff --git` is the current line, and leaves the cursor after it. */
export function parseGitHeader(lines: PatchLines, strip: number): Result<GitHeader, PatchSyntaxError> {
  const line = lines.lineNumber;
  const names = readHeaderNames(lines.text.slice("diff --git ".length), line, strip);
  if (!names.ok) return names;
  const modes = new Map<ModeKeyword, string>();
  const moves = new Map<MoveKeyword, PatchName>();
  let indexMode: string | null = null;

  for (lines.advance(); !lines.done; lines.advance()) {
    const modeKeyword = modeKeywords.find((keyword) => lines.startsWith(`${keyword} `));
    const moveKeyword = moveKeywords.find((keyword) => lines.startsWith(`${keyword} `));
    const isIndex = lines.startsWith("index ");
    const isRemark = lines.startsWith("similarity index ") || lines.startsWith("dissimilarity index ");
    if (!modeKeyword && !moveKeyword && !isIndex && !isRemark) break;
    if (lines.endsWithCr) return crlfPatch(lines.lineNumber);
    if (modeKeyword) {
      const value = lines.text.slice(modeKeyword.length + 1);
      if (!mode.test(value)) return malformed(lines.lineNumber, `malformed mode ${quote(value)}`, modeForm);
      if (modes.has(modeKeyword)) return repeated(lines.lineNumber, modeKeyword);
      modes.set(modeKeyword, value);
    } else if (moveKeyword) {
      const name = readBareName(lines.text.slice(moveKeyword.length + 1), lines.lineNumber, strip);
      if (!name.ok) return name;
      if (moves.has(moveKeyword)) return repeated(lines.lineNumber, moveKeyword);
      moves.set(moveKeyword, name.value);
    } else if (isIndex) {
      const [, value] = /^index \S+ (.*)$/s.exec(lines.text) ?? [];
      if (value !== undefined && !mode.test(value)) {
        return malformed(lines.lineNumber, `malformed mode ${quote(value)}`, modeForm);
      }
      indexMode = value ?? indexMode;
    }
  }
  return ok({ line, names: names.value, modes, indexMode, moves });
}

function repeated(line: number, keyword: string) {
  return malformed(
    line,
    `${quote(keyword)} is given twice for one file`,
    "begin each file with its own diff --git line",
  );
}

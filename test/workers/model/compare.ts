import { expect } from "vitest";
import type { Result } from "../../../src/domain/result";
import type { TextError } from "../../../src/domain/text-errors";
import { applyDiff } from "./apply-diff";
import { type Expected, hashOf } from "./root";
import { linesOf } from "./text";

const diffMaxBytes = 16_384;

/** How a call went, in a word. */
export type Kind = "ok" | "already applied" | "diff given" | "diff withheld" | TextError["code"];

/** Fails unless the object answered what the model did. */
export function compare(actual: Result<unknown, TextError>, expected: Expected<unknown>): Kind {
  if (expected.ok || actual.ok) {
    expect(actual).toEqual(expected);
    const { alreadyApplied = false } = (expected.ok && (expected.value as { alreadyApplied?: boolean })) || {};
    return alreadyApplied ? "already applied" : "ok";
  }
  expect(actual.error.code).toBe(expected.code);
  if (expected.change === undefined) return expected.code;
  return compareChange(actual.error, expected.change);
}

function compareChange(
  { details }: TextError,
  change: { readonly from: string; readonly to: string } | null,
): "diff given" | "diff withheld" {
  const { diff, current_hash: currentHash, total_lines: totalLines } = details ?? {};
  const presence = change === null ? "never" : diffPresence(change.from, change.to);
  if (presence !== "either") expect(diff !== undefined, "a diff is given").toBe(presence === "always");
  if (diff === undefined || change === null) {
    expect({ currentHash, totalLines }).toEqual({});
    return "diff withheld";
  }
  expect(Buffer.byteLength(String(diff))).toBeLessThanOrEqual(diffMaxBytes);
  expect(applyDiff(change.from, String(diff))).toBe(change.to);
  expect({ currentHash, totalLines }).toEqual({
    currentHash: hashOf(change.to),
    totalLines: linesOf(change.to).length,
  });
  return "diff given";
}

/** A diff shows at most everything as gone and come, and at least the lines that the other side has not. */
function diffPresence(from: string, to: string): "always" | "never" | "either" {
  const [before, after] = [linesOf(from), linesOf(to)];
  const most = [...before, ...after].reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 1000);
  if (most <= diffMaxBytes) return "always";
  const least = unmatched(before, after) + unmatched(after, before);
  return least > diffMaxBytes ? "never" : "either";
}

/** Bytes of the lines that `others` does not have as often. */
function unmatched(lines: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  let bytes = 0;
  for (const line of lines) {
    const times = left.get(line) ?? 0;
    if (times > 0) left.set(line, times - 1);
    else bytes += Buffer.byteLength(line) + 1;
  }
  return bytes;
}

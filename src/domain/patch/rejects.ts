import { compareUtf8 } from "../byte-order";
import { occursAtMax, occursSearchMaxBytes, quoteMaxCodePoints, rejectHintsMax } from "../limits";
import type { RootPath } from "../path";
import { cutCodePoints } from "../quote";
import { findOldSide } from "./find-old-side";
import type { Misplaced, Span } from "./match-hunks";
import type { Hunk } from "./patch";

/** snapshot.md §9.5, in the order in which they are looked for. */
export type RejectReason =
  | "unsupported_mode"
  | "binary"
  | "path_conflict"
  | "file_not_found"
  | "already_exists"
  | "no_newline_mismatch"
  | "context_mismatch"
  | "not_empty_after_delete";

export interface RejectedHunk {
  /** Counts the hunks of the path over the whole patch, from 0. */
  readonly index: number;
  readonly reason: RejectReason;
  /** 1-based old line of the first difference. */
  readonly line?: number;
  /** That line in the patch, and in the file: null beyond its end. Cut. */
  readonly expected?: string;
  readonly found?: string | null;
  /** 1-based old lines where the whole old side does stand; absent if that was not looked for. */
  readonly occursAt?: readonly number[];
}

export interface PathRejects {
  readonly path: RootPath;
  readonly hunks: readonly RejectedHunk[];
}

/** Collects rejects, and what helps to correct them within the limits of an answer. */
export class Rejects {
  private readonly hunksByPath = new Map<RootPath, RejectedHunk[]>();
  private hintsLeft = rejectHintsMax;
  private searchBytesLeft = occursSearchMaxBytes;

  add(path: RootPath, hunk: RejectedHunk): void {
    const hunks = this.hunksByPath.get(path);
    if (hunks) hunks.push(hunk);
    else this.hunksByPath.set(path, [hunk]);
  }

  addMisplaced(
    path: RootPath,
    index: number,
    verdict: Misplaced,
    hunk: Hunk,
    file: Uint8Array,
    patch: Uint8Array,
  ): void {
    const { reason, lineIndex, expected, found } = verdict;
    const isShown = lineIndex !== null && this.hintsLeft-- > 0;
    this.add(path, {
      index,
      reason,
      ...(isShown && {
        line: lineIndex + 1,
        ...(expected && { expected: shownLine(patch, expected) }),
        found: found && shownLine(file, found),
        ...this.occurrences(hunk, file, patch),
      }),
    });
  }

  private occurrences(hunk: Hunk, file: Uint8Array, patch: Uint8Array): Pick<RejectedHunk, "occursAt"> {
    const searchBytes = file.length + hunk.oldBytes;
    if (hunk.oldCount === 0 || searchBytes > this.searchBytesLeft) return {};
    this.searchBytesLeft -= searchBytes;
    return { occursAt: findOldSide(file, patch, hunk, occursAtMax) };
  }

  /** By path, then by index. */
  list(): PathRejects[] {
    return [...this.hunksByPath]
      .sort(([left], [right]) => compareUtf8(left, right))
      .map(([path, hunks]) => ({ path, hunks: hunks.toSorted((left, right) => left.index - right.index) }));
  }
}

/** Decodes no more than is shown: a line may be the whole file. */
function shownLine(bytes: Uint8Array, { from, to }: Span): string {
  const end = Math.min(to, from + 4 * (quoteMaxCodePoints + 1));
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes.subarray(from, end));
  return cutCodePoints(text, quoteMaxCodePoints);
}

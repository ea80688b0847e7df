import type { Sha256 } from "./hash";
import { historyVersionsMax } from "./limits";

/** A version that gave way to another, and when. */
export interface FormerVersion {
  readonly blob: Sha256;
  readonly replacedAtMs: number;
}

export interface HistoryChange {
  /** Former versions that are new to the history, the oldest first. */
  readonly added: readonly FormerVersion[];
  /** Versions of the history, or among those that gave way, that are not in it any more. */
  readonly dropped: readonly Sha256[];
}

/**
 * Several changes of one path at once: each of `replaced` gave way to the next, the last one to `current`. `known` is the history before,
 * the oldest first. A version that came back is not a former one any more; beyond the limit the oldest go (text.md §6.3).
 */
export function advanceHistory(
  known: readonly Sha256[],
  replaced: readonly FormerVersion[],
  current: Sha256,
): HistoryChange {
  const history = new Map<Sha256, FormerVersion | null>(known.map((blob) => [blob, null]));
  for (const [index, former] of replaced.entries()) {
    // Last replaced stands last: a Map keeps the order of insertion.
    history.delete(former.blob);
    history.set(former.blob, former);
    history.delete(replaced[index + 1]?.blob ?? current);
    for (const oldest of history.keys()) {
      if (history.size < historyVersionsMax) break;
      history.delete(oldest);
    }
  }
  const added = [...history.values()].filter((version) => version !== null);
  const seen = new Set([...known, ...replaced.map(({ blob }) => blob)]);
  return { added, dropped: [...seen].filter((blob) => !history.has(blob)) };
}

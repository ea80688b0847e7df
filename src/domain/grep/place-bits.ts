import { lineEdge } from "./alphabet";
import { place } from "./program";

/** What stands on the side of a place that was already passed. */
export const neighbour = { other: 0, word: 1, edge: 2 } as const;
export type Neighbour = (typeof neighbour)[keyof typeof neighbour];

export function neighbourOf(characterClass: number, isWord: Uint8Array): Neighbour {
  if (characterClass === lineEdge) return neighbour.edge;
  return isWord[characterClass] === 1 ? neighbour.word : neighbour.other;
}

/** Which assertions hold between two neighbours. A line is the whole text that an expression sees, so `^` and `\A` are one. */
export function placeBits(left: Neighbour, right: Neighbour): number {
  const begin = left === neighbour.edge ? place.lineBegin | place.textBegin : 0;
  const end = right === neighbour.edge ? place.lineEnd | place.textEnd : 0;
  const border = (left === neighbour.word) !== (right === neighbour.word);
  return begin | end | (border ? place.wordBoundary : place.noWordBoundary);
}

import { quoteMaxCodePoints } from "./limits";

/** The first `max` code points, and `…` in place of the rest. */
export function cutCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end < text.length ? `${text.slice(0, end)}…` : text;
}

/** `{q:x}` of the message templates (text.md §4.3): a JSON string, cut so that a message stays short whatever a caller sends. */
export function quote(text: string): string {
  return JSON.stringify(cutCodePoints(text, quoteMaxCodePoints));
}

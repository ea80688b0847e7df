/** What an edit does to a text: `[start, end)` gives way to `text`. Offsets are those of strings. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function applySplice(text: string, splice: Splice): string {
  return text.slice(0, splice.start) + splice.text + text.slice(splice.end);
}

import { grepLineMaxCodePoints } from "../limits";

/** One entry of an answer. `lineNumber` and `column` are 1-based; a column counts code points. */
export interface LineMatch {
  readonly lineNumber: number;
  readonly column: number;
  /** The line without its `\n`, or its beginning. */
  readonly text: string;
  readonly cut: boolean;
}

/** Tells line and column of ascending offsets. Every character is counted once, however many matches there are. */
export class LineCursor {
  readonly #text: string;
  #lineNumber = 1;
  #lineStart = 0;
  #lineEnd: number;
  #column = 1;
  #columnOffset = 0;
  #shown: { readonly text: string; readonly cut: boolean } | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#lineEnd = endOfLine(text, 0);
  }

  /** `offset` is within a line or at its end. */
  locate(offset: number): LineMatch {
    while (offset > this.#lineEnd) {
      this.#lineNumber++;
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = endOfLine(this.#text, this.#lineStart);
      this.#column = 1;
      this.#columnOffset = this.#lineStart;
      this.#shown = null;
    }
    for (; this.#columnOffset < offset; this.#columnOffset++) {
      if (!isLowSurrogate(this.#text.charCodeAt(this.#columnOffset))) this.#column++;
    }
    this.#shown ??= cutLine(this.#text.slice(this.#lineStart, this.#lineEnd));
    return { lineNumber: this.#lineNumber, column: this.#column, ...this.#shown };
  }
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline;
}

function cutLine(line: string): { readonly text: string; readonly cut: boolean } {
  // A code point has one unit or two.
  if (line.length <= grepLineMaxCodePoints) return { text: detach(line), cut: false };
  let end = 0;
  for (let codePoints = 0; end < line.length && codePoints < grepLineMaxCodePoints; codePoints++) {
    end += (line.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return { text: detach(line.slice(0, end)), cut: end < line.length };
}

/** A copy: a slice would keep the whole file in memory for as long as the answer lives. */
function detach(slice: string): string {
  return ` ${slice}`.slice(1);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

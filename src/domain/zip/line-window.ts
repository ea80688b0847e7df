/** Lines around a place of a text, without splitting all of it. A text has one line more than it has `\n`. */

/** Up to `count` lines that end before `start`, which is where a line begins, or one past the end of the text. */
export function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; end >= 0 && lines.length < count; ) {
    // With a negative place to begin at, lastIndexOf would look at the first character.
    const from = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    lines.push(text.slice(from, end));
    end = from - 1;
  }
  return lines.reverse();
}

/** Up to `count` lines from `start` on, which is where a line begins, or one past the end of the text. */
export function linesFrom(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let from = start; from <= text.length && lines.length < count; ) {
    const end = endOfLine(text, from);
    lines.push(text.slice(from, end));
    from = end + 1;
  }
  return lines;
}

export function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline;
}

/** Tells where lines begin. They are asked for in ascending order, so that all of them together cost one walk. */
export class LineStarts {
  private number = 1;
  private start = 0;

  constructor(private readonly text: string) {}

  /** 1-based, and one of the lines that the text has. */
  of(lineNumber: number): number {
    for (; this.number < lineNumber; this.number++) this.start = endOfLine(this.text, this.start) + 1;
    return this.start;
  }
}

/** Single precision, always between 0 and 1 (context.md §5.3). */
export function scoreOf(termMatches: number, totalWords: number): number {
  if (totalWords === 0) return 0;
  return Math.fround(Math.fround(termMatches) / Math.fround(totalWords));
}

/** Nine digits tell any two values of single precision apart. */
const digitsMax = 9;

/** The shortest digits that read back to the same value of single precision; a whole number gets `.0` (context.md §5.4). */
export function floatText(value: number): string {
  if (Number.isInteger(value)) return `${value}.0`;
  for (let digits = 1; digits < digitsMax; digits++) {
    const shortened = Number(value.toPrecision(digits));
    if (Math.fround(shortened) === value) return String(shortened);
  }
  return String(Number(value.toPrecision(digitsMax)));
}

const bytesPerToken = 4;

export function tokensOf(contentBytes: number): number {
  return Math.ceil(contentBytes / bytesPerToken);
}

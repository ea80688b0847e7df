/** What separates words: these 25 characters and no others (context.md §5.3). `\s` has U+FEFF besides, and lacks U+0085. */
const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const lastSpace = 0x3000;
/** By UTF-16 unit: is it a space? All of them lie within the first plane. */
const isSpace = new Uint8Array(lastSpace + 1);
for (let unit = 0; unit <= lastSpace; unit++) isSpace[unit] = spaces.test(String.fromCharCode(unit)) ? 1 : 0;

/** Words in their order, duplicates kept. The whole text is lower-cased first: a final sigma depends on what stands around it. */
export function lowerWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(spaces)
    .filter((word) => word !== "");
}

export interface WordCounts {
  readonly totalWords: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** How often each word occurs. One word at a time, because the list of all words of a large document would not fit beside it. */
export function countWords(text: string): WordCounts {
  const lower = text.toLowerCase();
  const counts = new Map<string, number>();
  let totalWords = 0;
  let start = -1;
  for (let at = 0; at <= lower.length; at++) {
    const unit = at < lower.length ? lower.charCodeAt(at) : 0x20;
    if (unit > lastSpace || isSpace[unit] === 0) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      const word = lower.slice(start, at);
      counts.set(word, (counts.get(word) ?? 0) + 1);
      totalWords++;
      start = -1;
    }
  }
  return { totalWords, counts };
}

/** Words that equal some term; each counts once, however often the term is repeated. */
export function countMatches({ counts }: WordCounts, terms: ReadonlySet<string>): number {
  let matches = 0;
  // By the fewer of both: a query may have ten thousand terms, and a cache as many documents.
  if (terms.size <= counts.size) for (const term of terms) matches += counts.get(term) ?? 0;
  else for (const [word, count] of counts) matches += terms.has(word) ? count : 0;
  return matches;
}

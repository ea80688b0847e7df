import type { Needs, TextNeeds } from "./text-needs";

/**
 * A filter of a text: a bit for each three characters that follow each other in it, without regard to case. It may tell that the text
 * lacks something, without the text; never the other way round. Filters are stored: a change of what follows needs a step that drops them.
 */
export type GramFilter = Uint8Array;

/** Whether the filter that lies at `start` and has `length` bytes leaves it open that its text meets the needs. */
export type FilterTest = (filters: Uint8Array, start: number, length: number) => boolean;

const gramUnits = 3;
const bitsMin = 64;
const bitsMax = 1 << 20;
/** Characters of a text for each bit: more make a text hard to tell from others, fewer make filters large. */
const unitsPerBit = 4;
/** Below this load a filter can be half as large and still tell much. */
const sparse = 0.25;

/** ſ and the sign of Kelvin equal an ASCII letter but for case; İ begins with one when it is written small. */
const withClassOf: readonly (readonly [number, string])[] = [
  [0x017f, "s"],
  [0x212a, "k"],
  [0x0130, "i"],
];
const classes = createClasses();

export function gramFilter(text: string): GramFilter {
  let bits = bitsMin;
  while (bits < bitsMax && bits * unitsPerBit < text.length) bits *= 2;
  const filter = new Uint8Array(bits / 8);
  const mask = bits - 1;
  let gram = text.length < gramUnits ? 0 : firstTwo(text);
  for (let at = gramUnits - 1; at < text.length; at++) {
    gram = ((gram << 8) | (classes[text.charCodeAt(at)] as number)) & 0xffffff;
    const bit = spread(gram) & mask;
    filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
  }
  return halved(filter);
}

/** Null: the needed texts are too short to tell anything. */
export function filterTest({ needs }: TextNeeds): FilterTest | null {
  return testOf(needs);
}

function testOf(needs: Needs): FilterTest | null {
  if (needs.kind === "text") return textTest(needs.text);
  const tests = needs.of.map(testOf);
  const known = tests.filter((test) => test !== null);
  if (known.length === 0 || (needs.kind === "any" && known.length < tests.length)) return null;
  if (needs.kind === "all") return (filters, start, length) => known.every((test) => test(filters, start, length));
  return (filters, start, length) => known.some((test) => test(filters, start, length));
}

function textTest(text: string): FilterTest | null {
  if (text.length < gramUnits) return null;
  const bits = new Set<number>();
  let gram = firstTwo(text);
  for (let at = gramUnits - 1; at < text.length; at++) {
    gram = ((gram << 8) | (classes[text.charCodeAt(at)] as number)) & 0xffffff;
    bits.add(spread(gram));
  }
  const wanted = Int32Array.from(bits);
  return (filters, start, length) => {
    const mask = length * 8 - 1;
    for (const spreadGram of wanted) {
      const bit = spreadGram & mask;
      if ((((filters[start + (bit >>> 3)] as number) >>> (bit & 7)) & 1) === 0) return false;
    }
    return true;
  };
}

function firstTwo(text: string): number {
  return ((classes[text.charCodeAt(0)] as number) << 8) | (classes[text.charCodeAt(1)] as number);
}

/** Neighbouring grams far apart, in the low bits too. */
function spread(gram: number): number {
  const product = Math.imul(gram, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** A bit of the half is set where one of both was: the place of a gram is its low bits. */
function halved(filter: GramFilter): GramFilter {
  let current = filter;
  while (current.length * 8 > bitsMin && load(current) < sparse) {
    const half = current.slice(0, current.length / 2);
    for (let at = 0; at < half.length; at++) half[at] = (half[at] as number) | (current[half.length + at] as number);
    current = half;
  }
  return current;
}

function load(filter: GramFilter): number {
  let set = 0;
  for (const byte of filter) for (let rest = byte; rest > 0; rest &= rest - 1) set++;
  return set / (filter.length * 8);
}

/** One of 256 classes for each UTF-16 unit: ASCII without capitals, everything else by its number. */
function createClasses(): Uint8Array {
  const made = new Uint8Array(0x10000);
  for (let unit = 0; unit < made.length; unit++) {
    made[unit] = unit < 0x80 ? unit : 0x80 | ((unit ^ (unit >>> 7)) & 0x7f);
  }
  for (let capital = 0x41; capital <= 0x5a; capital++) made[capital] = capital + 0x20;
  for (const [unit, letter] of withClassOf) made[unit] = letter.charCodeAt(0);
  return made;
}

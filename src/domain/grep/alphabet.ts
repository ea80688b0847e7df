/**
 * The classes of characters that an expression cannot tell apart. A state then has one transition per class, not one per character,
 * and `\pL`, which is 600 ranges, costs no more than `[a-z]`.
 */
export interface Alphabet {
  readonly classCount: number;
  /** Class of a UTF-16 unit. Both halves of a surrogate pair have the class `classCount`, which no transition leads from. */
  readonly ofUnit: Uint16Array;
  /** For each class, and for the halves of pairs: is it of `[0-9A-Za-z_]`? */
  readonly isWord: Uint8Array;
  /** Class of the character that begins at `offset`. */
  classAt(text: string, offset: number): number;
  /** Class of the character that ends at `offset`. */
  classBefore(text: string, offset: number): number;
}

/** Ascending, disjoint ranges: first, last, first, last, … */
export type CharacterSet = ArrayLike<number>;

/** The class of `\n`, which stands in no line: it means the end of the line, or its beginning when one walks backwards. */
export const lineEdge = 0;

const newline: CharacterSet = [0x0a, 0x0a];
const wordCharacters: CharacterSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const codePointsEnd = 0x110000;

/** The coarsest classes that respect every set; and for each set, which classes are in it. */
export function partition(
  sets: readonly CharacterSet[],
  withWords: boolean,
): { readonly alphabet: Alphabet; readonly memberships: readonly Uint8Array[] } {
  const separated = withWords ? [newline, wordCharacters, ...sets] : [newline, ...sets];
  const starts = intervalStarts(separated);
  const classes = new Uint16Array(starts.length);
  const insides = separated.map((set) => intervalsInside(set, starts));
  let classCount = 1;
  for (const inside of insides) classCount = refine(classes, inside);

  // Whatever number it got, `\n` becomes class 0.
  const newlineClass = classes[starts.indexOf(0x0a)] as number;
  for (let index = 0; index < classes.length; index++) {
    if (classes[index] === newlineClass) classes[index] = lineEdge;
    else if (classes[index] === lineEdge) classes[index] = newlineClass;
  }
  const memberships = insides.map((inside) => {
    const members = new Uint8Array(classCount + 1);
    for (let index = 0; index < classes.length; index++) members[classes[index] as number] = inside[index] as number;
    return members;
  });
  const isWord = withWords ? (memberships[1] as Uint8Array) : new Uint8Array(classCount + 1);
  return {
    alphabet: createAlphabet(starts, classes, classCount, isWord),
    memberships: memberships.slice(separated.length - sets.length),
  };
}

function intervalStarts(sets: readonly CharacterSet[]): Int32Array {
  const starts = new Set<number>([0]);
  for (const set of sets) {
    for (let index = 0; index < set.length; index += 2) {
      starts.add(set[index] as number);
      starts.add((set[index + 1] as number) + 1);
    }
  }
  starts.delete(codePointsEnd);
  return Int32Array.from(starts).sort();
}

/** 1 for each interval that lies in the set; none lies across a border of it. */
function intervalsInside(set: CharacterSet, starts: Int32Array): Uint8Array {
  const inside = new Uint8Array(starts.length);
  let range = 0;
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] as number;
    while (range < set.length && (set[range + 1] as number) < start) range += 2;
    if (range < set.length && (set[range] as number) <= start) inside[index] = 1;
  }
  return inside;
}

/** Splits every class into what is inside and what is not; gives the new number of classes. */
function refine(classes: Uint16Array, inside: Uint8Array): number {
  const renamed = new Map<number, number>();
  for (let index = 0; index < classes.length; index++) {
    const both = (classes[index] as number) * 2 + (inside[index] as number);
    const known = renamed.get(both);
    if (known === undefined) renamed.set(both, renamed.size);
    classes[index] = known ?? renamed.size - 1;
  }
  return renamed.size;
}

function createAlphabet(starts: Int32Array, classes: Uint16Array, classCount: number, isWord: Uint8Array): Alphabet {
  const ofUnit = new Uint16Array(0x10000);
  for (let index = 0; index < starts.length && (starts[index] as number) < 0x10000; index++) {
    ofUnit.fill(classes[index] as number, starts[index], starts[index + 1] ?? 0x10000);
  }
  ofUnit.fill(classCount, 0xd800, 0xe000);

  function ofPair(codePoint: number): number {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= codePoint) low = middle;
      else high = middle;
    }
    return classes[low] as number;
  }

  return {
    classCount,
    ofUnit,
    isWord,
    classAt(text, offset) {
      const ofSingle = ofUnit[text.charCodeAt(offset)] as number;
      return ofSingle < classCount ? ofSingle : ofPair(text.codePointAt(offset) as number);
    },
    classBefore(text, offset) {
      const ofSingle = ofUnit[text.charCodeAt(offset - 1)] as number;
      return ofSingle < classCount ? ofSingle : ofPair(text.codePointAt(offset - 2) as number);
    },
  };
}

// The data of every workload, from fixed seeds: the same files, edits and archives on every machine.
// Published so that a figure can be checked with other programs on the very same data.

/** The seed of everything. Change it and every file changes. */
export const seed = 20_260_728;

/** sfc32: small, fast, the same everywhere. Gives numbers in [0, 1). */
export function randomFrom(number) {
  let [a, b, c, d] = [0x9e3779b9, number | 0, 0x243f6a88, 1];
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

const syllables = "ba ko ri me tu san el vor in ta pre lo qui des ar mon fe gal shi ru".split(" ");

/** 4 000 made-up words. */
export const words = (() => {
  const random = randomFrom(seed);
  const made = new Set();
  while (made.size < 4000) {
    const length = 2 + Math.floor(random() * 3);
    made.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(""));
  }
  return [...made];
})();

/** A word; the first ones of the list come more often, as in any language. */
export function word(random) {
  return words[Math.floor(words.length * random() ** 3)];
}

/** One line of prose or code-like text, without its end. */
export function line(random) {
  const count = 4 + Math.floor(random() * 10);
  const text = Array.from({ length: count }, () => word(random)).join(" ");
  const kind = random();
  if (kind < 0.1) return "";
  if (kind < 0.3) return `  const ${word(random)}${Math.floor(random() * 1000)} = ${word(random)}("${text}");`;
  return text;
}

/** Text of at least `bytes` bytes, whole lines, all ASCII. */
export function textOf(number, bytes) {
  const random = randomFrom(seed ^ Math.imul(number + 1, 0x9e3779b1));
  const lines = [];
  for (let size = 0; size < bytes; ) {
    const text = line(random);
    lines.push(text);
    size += text.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

/** Exactly `count` numbered lines. */
export function linesOf(number, count) {
  const random = randomFrom(seed ^ Math.imul(number + 1, 0x85ebca6b));
  return Array.from({ length: count }, (_, index) => `line ${index}: ${word(random)} ${word(random)} ${word(random)}`);
}

/** A path three levels deep, about 50 files to a directory. */
export function pathOf(number, extension = "md") {
  const directory = Math.floor(number / 50);
  return `area-${Math.floor(directory / 20)}/part-${directory % 20}/file-${number}.${extension}`;
}

/** `count` files of about `bytes` bytes each, one at a time. */
export function* filesOf(count, bytes, extension = "md") {
  for (let number = 0; number < count; number++) {
    yield { path: pathOf(number, extension), content: textOf(number, bytes) };
  }
}

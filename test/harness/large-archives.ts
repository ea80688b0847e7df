// Archives at the limits of zipfs.md §3.2, for measurements of memory.
import { noise } from "./noise";
import { zipOf } from "./zip-builder";

const mib = 1024 * 1024;

export const largeArchives: [string, () => Uint8Array][] = [
  ["of 95 MiB in five files, stored and deflated", () => filesOf(5, 19 * mib)],
  ["of 250 MiB in 25 files that pack well", () => wordsOf(25, 10 * mib)],
  ["of 9 999 files", () => filesOf(9_999, 1000)],
  [
    "with a central directory of 15 MiB",
    () => {
      const comment = "c".repeat(1700);
      return zipOf(Array.from({ length: 9_000 }, (_, index) => ({ name: `${index}`, data: "x", comment })));
    },
  ],
];

export function filesOf(count: number, bytes: number): Uint8Array {
  return zipOf(
    Array.from({ length: count }, (_, index) => ({
      name: `d${index % 50}/f${index}`,
      data: noise(bytes, index + 1),
      method: index % 2 === 0 ? 0 : 8,
    })),
  );
}

/** One part in sixteen is noise. */
function wordsOf(count: number, bytes: number): Uint8Array {
  const data = new Uint8Array(bytes).fill(119);
  for (let at = 0; at < bytes; at += 4096) data.set(noise(256, at + 1), at);
  return zipOf(Array.from({ length: count }, (_, index) => ({ name: `w${index}`, data })));
}

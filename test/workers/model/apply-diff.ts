import { linesOf } from "./text";

/** What a unified diff makes of a text: every line that it shows as old must stand where it says. */
export function applyDiff(before: string, diff: string): string {
  const old = linesOf(before);
  const result: string[] = [];
  let at = 0;
  const shown = linesOf(diff);
  const firstHunk = shown.findIndex((line) => line.startsWith("@@ "));
  for (const [index, line] of shown.entries()) {
    if (index < firstHunk || line.startsWith("\\")) continue;
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk) {
      // Without old lines the number is that of the line before.
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      result.push(...old.slice(at, start));
      at = start;
      continue;
    }
    const open = shown[index + 1]?.startsWith("\\") ?? false;
    const content = open ? line.slice(1, -1) : line.slice(1);
    if (line[0] !== "+") {
      if (old[at] !== content) throw new Error(`line ${at + 1} is ${JSON.stringify(old[at])}, not ${line}`);
      at++;
    }
    if (line[0] !== "-") result.push(content);
  }
  return [...result, ...old.slice(at)].join("");
}

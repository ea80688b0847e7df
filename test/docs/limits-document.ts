// docs/limits.md from the lines of limits.ts: every exported number with its comment.
import { readFileSync } from "node:fs";
import * as limits from "../../src/domain/limits";

export function limitsDocument(): string {
  const source = readFileSync("src/domain/limits.ts", "utf8");
  const rows = [...source.matchAll(/\/\*\* (.+?) \*\/\nexport const (\w+) =/g)].map(([, comment, name]) => {
    const value = (limits as Record<string, unknown>)[name ?? ""];
    return `| \`${name}\` | ${shown(name ?? "", Number(value))} | ${comment?.replaceAll("|", "\\|")} |`;
  });
  const named = Object.values(limits).filter((value) => typeof value === "number").length;
  if (rows.length !== named) throw new Error(`${named} limits, but ${rows.length} have a comment`);
  return `# Limits

Made from \`src/domain/limits.ts\` by \`npm run docs\`.

| limit | value | what it bounds |
| --- | ---: | --- |
${rows.join("\n")}
`;
}

const units: readonly (readonly [string, readonly (readonly [number, string])[]])[] = [
  [
    "Bytes",
    [
      [1024 ** 3, "GiB"],
      [1024 ** 2, "MiB"],
      [1024, "KiB"],
    ],
  ],
  [
    "Ms",
    [
      [86_400_000, "d"],
      [3_600_000, "h"],
      [60_000, "min"],
      [1000, "s"],
    ],
  ],
];

/** The largest unit in which the value is whole. */
function shown(name: string, value: number): string {
  const scale = units.find(([ending]) => name.endsWith(ending))?.[1] ?? [];
  const unit = scale.find(([size]) => value % size === 0);
  return unit === undefined ? value.toLocaleString("en-US").replaceAll(",", " ") : `${value / unit[0]} ${unit[1]}`;
}

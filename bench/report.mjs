// npm run bench:report: a chart and a table from bench/results/*.json, into docs/bench and between the markers of README.md.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../scripts/prepare.mjs";
import { chartOf } from "./report/chart.mjs";
import { tableOf } from "./report/table.mjs";

const folder = join(projectDir, "bench", "results");
const target = join(projectDir, "docs", "bench");
/** As the workloads are numbered; any other comes after them. */
const order = [
  "read",
  "edits",
  "contention",
  "grep",
  "snapshot",
  "patch",
  "zip",
  "context",
  "mixed",
  "tokens",
  "growth",
];

const results = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
  .sort((left, right) => place(left.name) - place(right.name));
mkdirSync(target, { recursive: true });
writeFileSync(join(target, "ratios.svg"), chartOf(results));
const table = tableOf(results);
writeFileSync(join(target, "README.md"), table.full);
intoReadme(table.short);

function place(name) {
  const at = order.indexOf(name);
  return at === -1 ? order.length : at;
}

/** Between the markers; a README without them stays as it is. */
function intoReadme(text) {
  const path = join(projectDir, "README.md");
  const readme = readFileSync(path, "utf8");
  const [begin, end] = ["<!-- bench:begin -->", "<!-- bench:end -->"];
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to === -1) return console.log(`README.md has no ${begin} … ${end}: the table is in docs/bench.`);
  writeFileSync(path, `${readme.slice(0, from + begin.length)}\n${text}\n${readme.slice(to)}`);
}

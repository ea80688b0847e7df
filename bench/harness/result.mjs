// What a workload found, as one JSON file: the machine, the versions, every figure, and the ratios that were asked for.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { projectDir } from "../../scripts/prepare.mjs";

/** What others did on the machine when the workload began. */
const loadBefore = loadavg()[0];

export const resultsDir = join(projectDir, "bench", "results");

/**
 * @param asked what was to be reached: `{ text, ours, peer, most | least, unit }`; the ratio is ours : peer.
 * @param figures every measurement by name, with its unit.
 * @param notes what a reader must know: what was left out and why.
 */
export function writeResult(name, { title, figures, asked, notes = [] }) {
  const lines = asked.map((line) => {
    const ratio = line.ratio ?? line.ours / line.peer;
    const isReached = line.most === undefined ? ratio >= line.least : ratio <= line.most;
    return { ...line, ratio, isReached };
  });
  const result = {
    name,
    title,
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    asked: lines,
    figures,
    notes,
  };
  mkdirSync(resultsDir, { recursive: true });
  writeFileSync(join(resultsDir, `${name}.json`), `${JSON.stringify(result, rounded, 2)}\n`);
  print(result);
  return result;
}

function rounded(_key, value) {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

function print({ name, title, asked, figures, notes }) {
  console.log(`\n${name}: ${title}`);
  for (const [label, figure] of Object.entries(figures)) console.log(`  ${label.padEnd(58)} ${shown(figure)}`);
  for (const { text, ratio, isReached, most, least } of asked) {
    const aim = most === undefined ? `≥ ${least}` : `≤ ${most}`;
    console.log(`  ${isReached ? "reached" : "MISSED "} ${text}: ${Number(ratio.toPrecision(3))} (${aim})`);
  }
  for (const note of notes) console.log(`  note: ${note}`);
}

function shown(figure) {
  if (typeof figure !== "object" || figure === null) return String(figure);
  const { median, least, most, unit = "" } = figure;
  if (median === undefined) return JSON.stringify(figure, rounded);
  return `${Number(median.toPrecision(4))} ${unit} (${Number(least.toPrecision(3))} to ${Number(most.toPrecision(3))})`;
}

function machine() {
  const [{ model }] = cpus();
  return {
    processor: model.trim(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release().split("-")[0]} ${process.arch}`,
    node: process.version,
    workerd: JSON.parse(readFileSync(join(projectDir, "node_modules/workerd/package.json"), "utf8")).version,
    loadBefore,
    commit: commit(),
  };
}

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: projectDir, encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

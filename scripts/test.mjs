// npm test: everything that must hold, in one command. Further arguments go to vitest; --deep runs the full counts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ensureChromium } from "./find-chromium.mjs";
import { ensureZipPrograms } from "./find-zip-programs.mjs";
import { binPath, nodePath, prepare, projectDir, say } from "./prepare.mjs";
import { ruleIds, unprovenRules } from "./rule-ids.mjs";

const args = process.argv.slice(2);
const deep = args.includes("--deep");
/** Free bytes that the states of all tests together stay well below. */
const scratchBytes = 6 * 1024 ** 3;
const vitestArgs = args.filter((arg) => arg !== "--deep");

prepare();
const env = {
  ...process.env,
  // Tests start clients as programs; these have to find the project's Node, not the machine's.
  PATH: `${join(projectDir, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}`,
  ...(deep ? { HOLDFAST_DEEP: "1" } : {}),
};

check("format and lint", binPath("@biomejs/biome", "bin/biome"), ["check", "--error-on-warnings", "."]);
check("types", binPath("typescript", "bin/tsc"), ["--noEmit"]);
check("layers", binPath("dependency-cruiser", "bin/dependency-cruiser.mjs"), [
  "src",
  "--config",
  ".dependency-cruiser.cjs",
]);

const browser = ensureChromium(say);
if (browser.path) env.CHROMIUM_PATH = browser.path;
const zipPrograms = ensureZipPrograms(say);

const { passed, failed, status, report } = runTests();
if (browser.reason) console.log(`left out: the tests of the pages in a browser, because ${browser.reason}`);
if (zipPrograms.reason) console.log(`left out: archives judged by other programs, because ${zipPrograms.reason}`);
const rulesFailed = checkRules();
console.log(`${passed} passed, ${failed + rulesFailed} failed`);
process.exitCode = status || rulesFailed;

function check(title, program, programArgs) {
  say(`${title} …`);
  const { status } = run(program, programArgs);
  if (status === 0) return;
  console.log(`The check "${title}" failed; "npm run format" mends what can be mended by itself.\n0 passed, 1 failed`);
  process.exit(1);
}

function runTests() {
  say(deep ? "tests, with the full counts …" : "tests …");
  const folder = mkdtempSync(join(scratchFolder(), "holdfast-test-"));
  const file = join(folder, "results.json");
  env.TMPDIR = folder;
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const { status } = run(binPath("vitest", "vitest.mjs"), ["run", ...reporters, ...vitestArgs]);
    const report = readReport(file);
    return { ...counts(report, status), status: status ?? 1, report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In memory where there is room: every acknowledged change of a test is flushed to its state, which is thrown away afterwards. */
function scratchFolder() {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= scratchBytes) return memory;
  } catch {
    // Not every system has one.
  }
  return tmpdir();
}

/** Every rule of the interface must stand in the title of a passed test. A part of the tests proves only a part of them. */
function checkRules() {
  if (report === undefined || vitestArgs.length > 0) return 0;
  const unproven = unprovenRules(report);
  if (unproven.length === 0) say(`rules: each of ${ruleIds.length} is in the title of a passed test.`);
  else console.log(`The check "rules" failed; no passed test has in its title: ${unproven.join(", ")}`);
  return unproven.length === 0 ? 0 : 1;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function counts(report, status) {
  if (report === undefined) return { passed: 0, failed: 1 };
  // A file that cannot be loaded has no failed test, and yet has failed.
  const broken = report.testResults.filter(
    (one) => one.status === "failed" && one.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + broken;
  return { passed: report.numPassedTests, failed: status === 0 ? failed : Math.max(failed, 1) };
}

function run(program, programArgs) {
  return spawnSync(nodePath(), [program, ...programArgs], { cwd: projectDir, env, stdio: "inherit" });
}

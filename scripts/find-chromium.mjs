// Chrome or Chromium for the tests of the pages: it does not come from npm, so it is looked for, and installed where that may be done.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const installTimeoutMs = 180_000;

/** The path of a browser, or undefined. CHROMIUM_PATH decides where it is set. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return isProgram(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"].filter(Boolean);
  const candidates = [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    ...playwrightBrowsers(env),
  ];
  return candidates.find(isProgram);
}

/** Finds a browser or installs Debian's; says why where neither works. */
export function ensureChromium(say) {
  const found = findChromium();
  if (found) return { path: found };
  if (process.env.CHROMIUM_PATH) return { reason: `CHROMIUM_PATH names no program (${process.env.CHROMIUM_PATH})` };
  if (process.getuid?.() !== 0) return { reason: "no Chrome or Chromium found, and only root may install one" };
  if (!existsSync("/usr/bin/apt-get"))
    return { reason: "no Chrome or Chromium found, and there is no apt-get to install one" };
  say("installing chromium with apt-get, for the tests of the pages …");
  apt(["update"]);
  const installed = apt(["install", "-y", "--no-install-recommends", "chromium"]);
  const path = findChromium();
  return path
    ? { path }
    : { reason: `no Chrome or Chromium found, and apt-get could not install one (exit code ${installed})` };
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("/usr/bin/apt-get", ["-qq", ...args], { env, stdio: "ignore", timeout: installTimeoutMs }).status;
}

function playwrightBrowsers(env) {
  const folder = env.PLAYWRIGHT_BROWSERS_PATH || join(homedir(), ".cache", "ms-playwright");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith("chromium-"))
    .flatMap((name) => ["chrome-linux/chrome", "chrome-linux64/chrome"].map((file) => join(folder, name, file)));
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

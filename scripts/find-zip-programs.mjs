// The programs that judge our archives: they do not come from npm, so they are looked for, and installed where that may be done.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Each program and Debian's package of it. */
const packages = { zip: "zip", unzip: "unzip", "7z": "p7zip-full", bsdtar: "libarchive-tools", python3: "python3" };
const installTimeoutMs = 180_000;

/** The names of those that are not there. */
export function missingZipPrograms(env = process.env) {
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"].filter(Boolean);
  return Object.keys(packages).filter((name) => !folders.some((folder) => isProgram(join(folder, name))));
}

/** Finds them all or installs Debian's; says why where neither works. */
export function ensureZipPrograms(say) {
  const missing = missingZipPrograms();
  if (missing.length === 0) return {};
  const named = `${missing.join(", ")} not found`;
  if (process.getuid?.() !== 0) return { reason: `${named}, and only root may install them` };
  if (!existsSync("/usr/bin/apt-get")) return { reason: `${named}, and there is no apt-get to install them` };
  say(`installing ${missing.join(", ")} with apt-get, to judge zip archives …`);
  apt(["update"]);
  apt(["install", "-y", "--no-install-recommends", ...missing.map((name) => packages[name])]);
  const still = missingZipPrograms();
  return still.length === 0 ? {} : { reason: `${still.join(", ")} not found, and apt-get could not install them` };
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("/usr/bin/apt-get", ["-qq", ...args], { env, stdio: "ignore", timeout: installTimeoutMs }).status;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

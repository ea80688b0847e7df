/** Sections of patches, short to write. */

export const joined = (...lines: string[]) => `${lines.join("\n")}\n`;
export const edit = (path: string, ...hunks: string[]) => joined(`--- a/${path}`, `+++ b/${path}`, ...hunks);
export const create = (path: string, line: string) =>
  joined("--- /dev/null", `+++ b/${path}`, "@@ -0,0 +1 @@", `+${line}`);
export const remove = (path: string, line: string) =>
  joined(`--- a/${path}`, "+++ /dev/null", "@@ -1 +0,0 @@", `-${line}`);
export const change = (path: string, from: string, to: string) => edit(path, "@@ -1 +1 @@", `-${from}`, `+${to}`);
export const move = (kind: "rename" | "copy", from: string, to: string) =>
  joined(`diff --git a/${from} b/${to}`, `${kind} from ${from}`, `${kind} to ${to}`);
export const rename = (from: string, to: string) => move("rename", from, to);
/** With an empty line between: names right after a rename would belong to it. */
export const together = (...sections: string[]) => sections.join("\n");
export const noNewline = "\\ No newline at end of file";

/** Files of a test by their paths. */
export const tree = (files: Readonly<Record<string, string | Uint8Array>>): ReadonlyMap<string, Buffer> =>
  new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content as string)]));

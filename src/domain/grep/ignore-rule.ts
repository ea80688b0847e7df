import { compileGlob, type Glob } from "./glob";

/** One line of a `.gitignore`. */
export interface IgnoreRule {
  /** `!`: what matches is not ignored after all. */
  readonly negated: boolean;
  /** A final `/`: only directories match. */
  readonly directoriesOnly: boolean;
  /** No other `/`: the name is compared, at any depth; else the path from the directory of the rules. */
  readonly byName: boolean;
  readonly glob: Glob;
}

/** The rules of a `.gitignore` as byte string, in their order. Of equal ones the last decides, so the others are left out. */
export function parseIgnoreRules(content: string): IgnoreRule[] {
  const withoutMark = content.startsWith("\u00ef\u00bb\u00bf") ? content.slice(3) : content;
  const lines = withoutMark.split("\n").flatMap((line) => (line.startsWith("#") ? [] : [trimEnd(endOfRule(line))]));
  return [...new Set(lines.reverse())].reverse().flatMap((line) => parseRule(line) ?? []);
}

/** A line ends with `\n` or `\r\n`, and to git with a NUL. */
function endOfRule(line: string): string {
  const nul = line.indexOf("\0");
  if (nul !== -1) return line.slice(0, nul);
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function parseRule(line: string): IgnoreRule | null {
  const negated = line.startsWith("!");
  const withSlash = negated ? line.slice(1) : line;
  const directoriesOnly = withSlash.endsWith("/");
  const pattern = directoriesOnly ? withSlash.slice(0, -1) : withSlash;
  if (pattern === "") return null;
  const byName = !pattern.includes("/");
  return { negated, directoriesOnly, byName, glob: compileGlob(pattern.startsWith("/") ? pattern.slice(1) : pattern) };
}

/** Blanks at the end are dropped, unless a backslash makes them part of the name. */
function trimEnd(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    const escaped = line[at] === "\\";
    if (escaped) at++;
    if (escaped || line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

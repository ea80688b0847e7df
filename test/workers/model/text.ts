import type { TextEdit } from "../../../src/root/contract";

/** Text, lines and edits in the plainest way that text.md §7 can be written down. */

export function decode(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 8000).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Each with its `\n`, if it has one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => `${line}\n`);
  const last = lines.pop() ?? "\n";
  return last === "\n" ? lines : [...lines, last.slice(0, -1)];
}

export function slice(text: string, [start, end]: readonly [number, number]): string {
  const lines = linesOf(text);
  return lines.slice(...indexes(lines.length, start, end)).join("");
}

function indexes(count: number, start: number, end: number): [number, number] {
  const from = start > 0 ? start - 1 : start === 0 ? 0 : Math.max(0, count + start);
  const to = end > 0 ? Math.min(end - 1, count) : end === 0 ? count : Math.max(0, count + end);
  return [from, Math.max(from, to)];
}

/** The text after the edit; null is LINE_MISMATCH. */
export function edited(text: string, edit: TextEdit): string | null {
  if (edit.kind === "append") {
    if (edit.content === "") return text;
    return text === "" || text.endsWith("\n") ? text + edit.content : `${text}\n${edit.content}`;
  }
  const lines = linesOf(text);
  return edit.kind === "insert" ? inserted(lines, edit) : replaced(lines, edit);
}

function inserted(lines: readonly string[], edit: Extract<TextEdit, { kind: "insert" }>): string | null {
  const index = edit.line > 0 ? edit.line - 1 : lines.length + edit.line;
  const line = lines[index];
  if (index < 0 || line === undefined || bare(line) !== edit.anchor) return null;
  return [...lines.slice(0, index), asLines(edit.content), ...lines.slice(index)].join("");
}

function replaced(lines: readonly string[], edit: Extract<TextEdit, { kind: "replace" }>): string | null {
  const wanted = edit.old.replace(/\n$/, "").split("\n");
  const [from, to] = indexes(lines.length, ...edit.lines);
  const places = lines
    .map((_, index) => index)
    .filter((index) => index >= from && index + wanted.length <= to)
    .filter((index) => wanted.every((line, offset) => bare(lines[index + offset] ?? "") === line));
  const [place] = places;
  if (place === undefined || places.length > 1) return null;
  const after = lines.slice(place + wanted.length);
  const openEnd = after.length === 0 && lines.at(-1)?.endsWith("\n") === false;
  const body = openEnd && !edit.new.endsWith("\n") ? edit.new : asLines(edit.new);
  return [...lines.slice(0, place), body, ...after].join("");
}

function bare(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}

function asLines(argument: string): string {
  return argument === "" || argument.endsWith("\n") ? argument : `${argument}\n`;
}

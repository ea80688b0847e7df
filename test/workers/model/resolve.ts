import type { LineRange } from "../../../src/domain/lines";
import type { TextEdit } from "../../../src/root/contract";
import { hashOf, type ModelRoot } from "./root";
import type { Aim, Cite, Content, EditStep, Place } from "./steps";
import { decode, linesOf } from "./text";

/** What a step means, given what is there when its turn comes. */

export function pathOf(model: ModelRoot, paths: readonly string[], { at, among }: Place): string {
  const files = among === "files" ? paths.filter((path) => model.files.has(path)) : [];
  const choice = files.length > 0 ? files : paths;
  return choice[at % choice.length] ?? "/";
}

export function hashCited(model: ModelRoot, paths: readonly string[], path: string, cite: Cite): string {
  if (cite === "unknown") return hashOf("nothing has this content");
  if (cite === "current") return hashOf(model.files.get(path) ?? "");
  if ("other" in cite) return hashOf(model.files.get(paths[cite.other % paths.length] ?? "") ?? "no other file");
  const past = model.pastOf(path);
  return past[cite.former % Math.max(1, past.length)]?.hash ?? hashOf("no former version");
}

/** Aimed at the text that the path has now. */
export function editOf(model: ModelRoot, path: string, step: EditStep): TextEdit {
  const given = textOf(step.given);
  if (step.do === "append") return { kind: "append", content: given };
  const lines = linesOf(decode(model.files.get(path) ?? new Uint8Array()) ?? "");
  const { aim } = step;
  const index = lines.length === 0 ? 0 : aim.at % lines.length;
  const run = lines.slice(index, index + aim.count);
  if (step.do === "replace") {
    const range = rangeOf(aim, index, run.length, lines.length);
    return { kind: "replace", lines: range, old: aim.miss ?? run.join(""), new: given };
  }
  const line = aim.range === "negative" ? Math.min(-1, index - lines.length) : index + 1;
  return { kind: "insert", line, anchor: aim.miss ?? (run[0] ?? "").replace(/\n$/, ""), content: given };
}

export function bytesOf(content: Content): Uint8Array {
  if ("bytes" in content) return Uint8Array.from(content.bytes);
  return new TextEncoder().encode("text" in content ? content.text : `${content.mark}\n`.repeat(content.many));
}

/** The directory so many levels above the path; the root has itself above. */
export function upFrom(path: string, levels: number): string {
  const names = path.split("/").slice(1);
  return `/${names.slice(0, Math.max(0, names.length - levels)).join("/")}`;
}

function rangeOf({ range }: Aim, index: number, runLength: number, count: number): LineRange {
  if (range === "all") return [1, 0];
  if (range === "tight") return [index + 1, index + 1 + runLength];
  if (range === "negative") return [index - count, index + runLength - count];
  return range;
}

function textOf(content: Content): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf(content));
}

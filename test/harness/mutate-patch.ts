/** Patches with a mistake, or with less than git writes. Some stay valid: counts are corrected where a mutation says so. */
import fc from "fast-check";

const change = fc.record({
  kind: fc.constantFrom(
    "drop line",
    "repeat line",
    "swap lines",
    "other sign",
    "other character",
    "other number",
    "add marker",
    "drop marker",
    "add CR",
    "blank context",
    "drop hunk",
    "drop section",
    "repeat section",
    "swap sections",
    "prose between",
    "less context before",
    "less context after",
    "drop addition",
    "other addition",
    "other new start",
    "no final LF",
  ),
  at: fc.nat(10_000),
  amount: fc.integer({ min: -3, max: 3 }),
});
export type PatchMutation = typeof change extends fc.Arbitrary<infer T> ? T : never;
export const patchMutations = fc.array(change, { minLength: 1, maxLength: 2 });

export function mutatePatch(patch: string, mutations: readonly PatchMutation[]): string {
  return mutations.reduce(mutate, patch);
}

function mutate(patch: string, { kind, at, amount }: PatchMutation): string {
  const lines = patch.split("\n").slice(0, -1);
  const text = () => `${lines.join("\n")}\n`;
  const pick = (matches: (line: string) => boolean) => {
    const indexes = lines.flatMap((line, index) => (matches(line) ? [index] : []));
    return indexes[at % indexes.length] ?? -1;
  };
  const any = pick(() => true);
  const hunkLine = pick((line) => /^[ +-](?!-- |\+\+ )/.test(line));
  switch (kind) {
    case "drop line":
      lines.splice(any, 1);
      return text();
    case "repeat line":
      lines.splice(any, 0, lines[any] ?? "");
      return text();
    case "swap lines":
      lines.splice(any, 2, ...lines.slice(any, any + 2).reverse());
      return text();
    case "other sign":
      if (hunkLine >= 0) lines[hunkLine] = " +-"[Math.abs(amount) % 3] + (lines[hunkLine] ?? "").slice(1);
      return text();
    case "other character":
      lines[any] = (lines[any] ?? "").replace(/.$/su, "~");
      return text();
    case "other number": {
      const header = pick((line) => line.startsWith("@@"));
      let left = at % 4;
      const other = (digits: string) => (left-- === 0 ? `${Math.max(0, Number(digits) + amount)}` : digits);
      if (header >= 0) lines[header] = (lines[header] ?? "").replace(/\d+/g, other);
      return text();
    }
    case "add marker":
      if (hunkLine >= 0) lines.splice(hunkLine + 1, 0, "\\ No newline at end of file");
      return text();
    case "drop marker": {
      const marker = pick((line) => line.startsWith("\\"));
      if (marker >= 0) lines.splice(marker, 1);
      return text();
    }
    case "add CR":
      lines[any] += "\r";
      return text();
    case "blank context": {
      const blank = pick((line) => line === " ");
      if (blank >= 0) lines[blank] = "";
      return text();
    }
    case "no final LF":
      return text().slice(0, -1);
    case "drop section":
    case "repeat section":
    case "swap sections":
    case "prose between": {
      const sections = patch.split(/^(?=diff --git )/m);
      const index = at % sections.length;
      if (kind === "drop section") sections.splice(index, 1);
      else if (kind === "repeat section") sections.splice(index, 0, sections[index] ?? "");
      else if (kind === "swap sections") sections.splice(index, 2, ...sections.slice(index, index + 2).reverse());
      else sections.splice(index, 0, "prose\n\n");
      return sections.join("");
    }
    default:
      return mutateHunk(patch, kind, at, amount);
  }
}

interface HunkText {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** Changes one hunk and writes its header anew, so that the counts are right. */
function mutateHunk(patch: string, kind: PatchMutation["kind"], at: number, amount: number): string {
  const parts = patch.split(/^(?=@@ -\d|diff --git )/m);
  const hunks = parts.flatMap((part, index) => (part.startsWith("@@ -") ? [index] : []));
  const index = hunks[at % hunks.length];
  const [head = "", ...lines] = (parts[index ?? -1] ?? "").split("\n").slice(0, -1);
  const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)/.exec(head);
  if (index === undefined || !numbers) return patch;
  const oldStart = Number(numbers[1]) + (numbers[2] === "0" ? 1 : 0);
  parts[index] = hunkText(mutated({ oldStart, newStart: Number(numbers[3]), lines }, kind, at, amount));
  return parts.join("");
}

function mutated(hunk: HunkText, kind: PatchMutation["kind"], at: number, amount: number): HunkText {
  const lines = [...hunk.lines];
  const additions = lines.flatMap((line, index) => (line.startsWith("+") ? [index] : []));
  const addition = additions[at % additions.length];
  if (kind === "drop hunk") return { ...hunk, lines: [] };
  if (kind === "other new start") return { ...hunk, newStart: Math.max(0, hunk.newStart + amount) };
  if (kind === "less context before" && lines[0]?.startsWith(" ")) {
    return { oldStart: hunk.oldStart + 1, newStart: hunk.newStart + 1, lines: lines.slice(1) };
  }
  if (kind === "less context after" && lines.at(-1)?.startsWith(" ")) lines.pop();
  if (kind === "drop addition" && addition !== undefined) lines.splice(addition, 1);
  if (kind === "other addition" && addition !== undefined) lines[addition] = "+changed";
  return { ...hunk, lines };
}

function hunkText({ oldStart, newStart, lines }: HunkText): string {
  if (lines.every((line) => line.startsWith(" "))) return "";
  const old = lines.filter((line) => /^[ -]|^$/.test(line)).length;
  const added = lines.filter((line) => /^[ +]|^$/.test(line)).length;
  const start = old === 0 ? oldStart - 1 : oldStart;
  return `@@ -${start},${old} +${newStart},${added} @@\n${lines.map((line) => `${line}\n`).join("")}`;
}

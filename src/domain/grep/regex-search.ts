import type { RE2JS } from "re2js";
import { ForwardAutomaton } from "./forward-automaton";
import { readProgram } from "./program";
import { requiredLiterals } from "./required-literal";
import { ReverseAutomaton } from "./reverse-automaton";
import { stateCellsMax } from "./state-table";
import { meets, needsOfExpression, type TextNeeds } from "./text-needs";
import type { WorkMeter } from "./work-meter";

/** Characters scanned after a required text was found: where it stands in every line, looking for it again costs more than scanning. */
const scanAhead = 500;

/** Where an expression matches, line by line: two walks over each match, and none over lines without a text that every match has. */
export class RegexSearch {
  readonly #forward: ForwardAutomaton;
  readonly #reverse: ReverseAutomaton;
  readonly #required: readonly string[] | null;
  readonly needs: TextNeeds | null;
  /** The needs, where the look for required texts does not show whether they are met. */
  readonly #unchecked: TextNeeds | null;

  /** `needs` where more is known of them than the compiled expression tells. */
  constructor(compiled: RE2JS, cellsMax = stateCellsMax, needs: TextNeeds | null = null) {
    const program = readProgram(compiled);
    const exact = needsOfExpression(compiled, true);
    this.#forward = new ForwardAutomaton(program, cellsMax);
    this.#reverse = new ReverseAutomaton(program, cellsMax);
    this.#required = exact === null ? null : requiredLiterals(exact.needs);
    this.needs = needs ?? exact;
    this.#unchecked = this.#required !== null && this.needs === exact && isOneOfTexts(this.needs) ? null : this.needs;
  }

  /** Offsets where entries begin, ascending. Stops when the work is used up. */
  *starts(text: string, work: WorkMeter): Generator<number, void> {
    if (text === "" || (this.#unchecked !== null && !meets(text, this.#unchecked))) return;
    // A final `\n` ends the last line and begins none.
    const limit = text.endsWith("\n") ? text.length - 1 : text.length;
    let lineStart = 0;
    const required = this.#required === null ? null : new NextHit(text, this.#required);
    while (lineStart <= limit) {
      let scanEnd = limit;
      if (required !== null) {
        const hit = required.from(lineStart);
        if (hit === -1) return;
        lineStart = lineStartOf(text, hit);
        scanEnd = lineEndOf(text, Math.min(hit + scanAhead, limit), limit);
      }
      const end = this.#forward.findEnd(text, lineStart, scanEnd, work);
      if (work.exhausted) return;
      if (end === -1) {
        lineStart = scanEnd + 1;
        continue;
      }
      const lineEnd = lineEndOf(text, end, limit);
      yield* this.#startsInLine(text, lineStartOf(text, end), lineEnd, end, work);
      lineStart = lineEnd + 1;
    }
  }

  /** Empty matches count only on a line that has no others, and then once (snapshot.md §10.2). */
  *#startsInLine(
    text: string,
    lineStart: number,
    lineEnd: number,
    firstEnd: number,
    work: WorkMeter,
  ): Generator<number, void> {
    let firstEmpty = -1;
    let found = false;
    let from = lineStart;
    let end = firstEnd;
    while (end !== -1) {
      const start = end === from ? from : this.#reverse.findStart(text, from, end, lineEnd, work);
      if (work.exhausted) return;
      if (start < end) {
        found = true;
        yield start;
        from = end;
      } else {
        if (firstEmpty === -1) firstEmpty = start;
        if (start === lineEnd) break;
        from = start + ((text.codePointAt(start) as number) > 0xffff ? 2 : 1);
      }
      end = this.#forward.findEnd(text, from, lineEnd, work);
      if (work.exhausted) return;
    }
    if (!found) yield firstEmpty;
  }
}

function isOneOfTexts(needs: TextNeeds | null): boolean {
  if (needs === null || needs.needs.kind === "text") return true;
  return needs.needs.kind === "any" && needs.needs.of.every(({ kind }) => kind === "text");
}

/** Where the first of several texts stands, asked for at ascending offsets. A text is looked for anew only after it was passed. */
class NextHit {
  readonly #hits: number[];

  constructor(
    private readonly text: string,
    private readonly wanted: readonly string[],
  ) {
    this.#hits = wanted.map(() => -1);
  }

  /** The first offset at or after `start`; -1 if there is none. */
  from(start: number): number {
    let first = Number.POSITIVE_INFINITY;
    for (const [index, wanted] of this.wanted.entries()) {
      let hit = this.#hits[index] as number;
      if (hit < start) {
        hit = this.text.indexOf(wanted, start);
        if (hit === -1) hit = Number.POSITIVE_INFINITY;
        this.#hits[index] = hit;
      }
      if (hit < first) first = hit;
    }
    return first === Number.POSITIVE_INFINITY ? -1 : first;
  }
}

function lineStartOf(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function lineEndOf(text: string, offset: number, limit: number): number {
  const newline = text.indexOf("\n", offset);
  return newline === -1 ? limit : newline;
}

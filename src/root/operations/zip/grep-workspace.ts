import { compileQuery, type LineMatcher } from "../../../domain/grep/compile-query";
import { WorkMeter } from "../../../domain/grep/work-meter";
import {
  grepLineMaxCodePoints,
  grepWorkMax,
  zipGrepAnswerMaxUnits,
  zipGrepMaxBytes,
  zipPatternMaxCharacters,
} from "../../../domain/limits";
import { cutCodePoints } from "../../../domain/quote";
import { err, ok } from "../../../domain/result";
import { compileWorkspaceGlob } from "../../../domain/zip/glob";
import { endOfLine, LineStarts, linesBefore, linesFrom } from "../../../domain/zip/line-window";
import { invalidParams, pathNotFound } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import type { TreeRow } from "../../store/tree-listing";
import { findForPath, type SessionRequest, touch, type ZipOutcome } from "./find-session";

export interface GrepWorkspaceRequest extends SessionRequest {
  readonly path: string;
  readonly pattern: string;
  readonly glob: string | null;
  readonly ignoresCase: boolean;
  readonly maxResults: number;
  readonly contextLines: number;
}

export interface WorkspaceMatch {
  readonly file: string;
  readonly lineNumber: number;
  readonly line: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface WorkspaceMatches {
  readonly matches: readonly WorkspaceMatch[];
  readonly total: number;
  readonly skippedBinary: number;
  readonly incomplete: boolean;
}

/** Context may still come with the next piece of the text. */
interface OpenMatch extends WorkspaceMatch {
  readonly after: string[];
}

/** Its characters are counted where it comes in; none has more bytes. */
const patternMaxBytes = 4 * zipPatternMaxCharacters;

/** A text is searched in pieces of about this size, cut at the ends of lines. */
const pieceCharacters = 4 * 1024 * 1024;

/** zipfs.md §4: the same engine as snapshot.grep, one match per line. */
export async function grepWorkspace(
  root: RootState,
  request: GrepWorkspaceRequest,
): Promise<ZipOutcome<WorkspaceMatches>> {
  const { pattern: query, ignoresCase } = request;
  const matcher = compileQuery({ query, regex: true, caseSensitive: !ignoresCase }, patternMaxBytes);
  if (!matcher.ok) {
    const what = matcher.error.message.replace(/^query: /, "").replace(/\.$/, "");
    return err(invalidParams("pattern", what));
  }
  const glob = request.glob === null ? null : compileWorkspaceGlob(request.glob);
  if (glob !== null && !glob.ok) return err(invalidParams("glob", glob.error));
  const found = findForPath(root, request, "read", { whole: true });
  if (!found.ok) return found;
  const { session, contents, at } = found.value;
  const node = root.tree.find(at);
  if (node === null) return err(pathNotFound(request.path));
  const rows: TreeRow[] =
    node.kind === "file" ? [{ ...node, mtimeMs: 0 }] : root.tree.below(at).filter((row) => row.kind === "file");
  const files = rows
    .map((row) => ({ ...row, relative: row.path.slice(contents.length + 1) }))
    .filter(({ relative }) => glob === null || glob.value(relative));
  const search = new Search(matcher.value, request);
  for (const file of files) {
    if (file.lines === null || file.blob === null) search.skippedBinary++;
    else if (!search.takes(file.size)) break;
    else await search.file(file.relative, root.blobs.readPieces(file.blob, file.size, root.now()));
  }
  touch(root, session);
  const { matches, total, skippedBinary, incomplete } = search;
  return ok({ matches, total, skippedBinary, incomplete });
}

class Search {
  readonly matches: WorkspaceMatch[] = [];
  total = 0;
  skippedBinary = 0;
  incomplete = false;
  private searchedBytes = 0;
  /** Of the answer so far. */
  private units = 0;
  private isFull = false;
  private readonly work = new WorkMeter(grepWorkMax);

  constructor(
    private readonly matcher: LineMatcher,
    private readonly request: GrepWorkspaceRequest,
  ) {}

  /** False: the work cap is reached. */
  takes(bytes: number): boolean {
    this.searchedBytes += bytes;
    if (this.searchedBytes > zipGrepMaxBytes || this.work.exhausted) this.incomplete = true;
    return !this.incomplete;
  }

  async file(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const context = this.request.contextLines;
    let lineNumber = 1;
    let lead: string[] = [];
    let open: { readonly match: OpenMatch; missing: number }[] = [];
    for await (const text of texts(bytes)) {
      // Context that reaches over the end of a piece.
      for (const waiting of open) {
        const more = this.paidFor(linesFrom(text, 0, waiting.missing).map(shown));
        waiting.match.after.push(...more);
        waiting.missing -= more.length;
      }
      open = open.filter(({ missing }) => missing > 0);
      const starts = new LineStarts(text);
      let last = 0;
      for (const found of this.matcher.matches(text, this.work)) {
        if (found.lineNumber === last) continue;
        last = found.lineNumber;
        this.total++;
        if (this.isFull) continue;
        const start = context > 0 ? starts.of(last) : 0;
        const before = context > 0 ? [...lead, ...linesBefore(text, start, context).map(shown)].slice(-context) : [];
        const after = context > 0 ? linesFrom(text, endOfLine(text, start) + 1, context).map(shown) : [];
        const line = found.cut ? `${found.text}…` : found.text;
        const match = { file: name, lineNumber: lineNumber + last - 1, line, before, after };
        if (!this.add(match)) continue;
        if (after.length < context) open.push({ match, missing: context - after.length });
      }
      if (this.work.exhausted) {
        this.incomplete = true;
        return;
      }
      lineNumber += countNewlines(text) + 1;
      if (context > 0) lead = [...lead, ...linesBefore(text, text.length + 1, context).map(shown)].slice(-context);
    }
  }

  /** False: the answer has no room for it. Then none after it is taken, so that what is shown are the first matches. */
  private add(match: OpenMatch): boolean {
    this.paidFor([match.file, match.line, ...match.before, ...match.after]);
    const fits = this.units <= zipGrepAnswerMaxUnits;
    if (fits) this.matches.push(match);
    this.isFull = !fits || this.matches.length === this.request.maxResults;
    return fits;
  }

  /** Lines that become part of the answer, counted as they go over the wire. */
  private paidFor(lines: string[]): string[] {
    this.units += lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0);
    return lines;
  }
}

/** Whole lines without their ends: a final `\n` and one `\r` before each belong to no line. */
async function* texts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let held = "";
  for await (const piece of bytes) {
    held += decoder.decode(piece, { stream: true });
    const end = held.length < pieceCharacters ? -1 : held.lastIndexOf("\n");
    if (end === -1) continue;
    yield withoutReturns(held.slice(0, end));
    held = held.slice(end + 1);
  }
  held += decoder.decode();
  if (held !== "") yield withoutReturns(held.endsWith("\n") ? held.slice(0, -1) : held);
}

function withoutReturns(text: string): string {
  if (!text.includes("\r")) return text;
  const joined = text.replaceAll("\r\n", "\n");
  return joined.endsWith("\r") ? joined.slice(0, -1) : joined;
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** A copy: a part of a text would keep all of it in memory for as long as the answer lives. */
function shown(line: string): string {
  return ` ${cutCodePoints(line, grepLineMaxCodePoints)}`.slice(1);
}

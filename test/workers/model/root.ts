import { createHash } from "node:crypto";
import type { LineRange } from "../../../src/domain/lines";
import type { TextErrorCode } from "../../../src/domain/text-errors";
import type { DirectoryEntry, Listing, TextEdit } from "../../../src/root/contract";
import { decode, edited, linesOf, slice } from "./text";

/** A version that the caller cites and that has given way to another. */
export interface Former {
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly replacedAtMs: number;
}

/** What a call must answer. `change`: the two texts that a HASH_MISMATCH may show the way between. */
export type Expected<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: TextErrorCode;
      readonly change?: { readonly from: string; readonly to: string } | null;
    };

export interface ReadValue {
  readonly content: string;
  readonly hash: string;
  readonly totalLines: number;
  readonly nextLine: number | null;
}

const known = { versions: 20, ms: 30 * 24 * 60 * 60 * 1000 };
const diffSideMax = 1024 * 1024;
const readMax = 256 * 1024;

/** A root as text.md describes it: maps in memory, every version ever, no storage. */
export class ModelRoot {
  readonly files = new Map<string, Uint8Array>();
  readonly directories = new Set(["/"]);
  /** Every version that ever gave way at a path, in that order. */
  private readonly past = new Map<string, Former[]>();

  create(path: string, bytes: Uint8Array): Expected<string> {
    if (isManaged(path)) return failed("INVALID_ARGUMENT");
    const parents = parentsOf(path);
    if (parents.some((parent) => this.files.has(parent))) return failed("ALREADY_EXISTS");
    if (this.files.has(path) || this.directories.has(path)) return failed("ALREADY_EXISTS");
    for (const parent of parents) this.directories.add(parent);
    this.files.set(path, bytes);
    return { ok: true, value: hashOf(bytes) };
  }

  remove(path: string, cited: string, nowMs: number): Expected<null> {
    if (isManaged(path)) return failed("INVALID_ARGUMENT");
    const bytes = this.files.get(path);
    if (bytes === undefined) return this.missing(path);
    if (hashOf(bytes) !== cited) return this.stale(path, bytes, cited, nowMs);
    this.files.delete(path);
    this.giveWay(path, bytes, nowMs);
    return { ok: true, value: null };
  }

  edit(
    path: string,
    cited: string,
    edit: TextEdit,
    nowMs: number,
  ): Expected<{ hash: string; totalLines: number; alreadyApplied: boolean }> {
    if (isManaged(path)) return failed("INVALID_ARGUMENT");
    const bytes = this.files.get(path);
    if (bytes === undefined) return this.missing(path);
    const text = decode(bytes);
    if (text === null) return failed("NOT_TEXT");
    if (hashOf(bytes) !== cited) {
      const former = this.formerText(path, cited, nowMs);
      if (former === null || edited(former, edit) !== text) return this.stale(path, bytes, cited, nowMs);
      return { ok: true, value: { hash: hashOf(bytes), totalLines: linesOf(text).length, alreadyApplied: true } };
    }
    const result = edited(text, edit);
    if (result === null) return failed("LINE_MISMATCH");
    if (result !== text) {
      this.files.set(path, new TextEncoder().encode(result));
      this.giveWay(path, bytes, nowMs);
    }
    const value = { hash: hashOf(result), totalLines: linesOf(result).length, alreadyApplied: false };
    return { ok: true, value };
  }

  read(path: string, range: LineRange | null): Expected<ReadValue> {
    const bytes = this.files.get(path);
    if (bytes === undefined) return this.missing(path);
    const text = decode(bytes);
    if (text === null) return failed("NOT_TEXT");
    const lines = linesOf(text);
    const nextLine = range === null ? firstLineLeftOut(lines) : null;
    const content = slice(text, range ?? [1, nextLine ?? 0]);
    return { ok: true, value: { content, hash: hashOf(bytes), totalLines: lines.length, nextLine } };
  }

  list(path: string, limit: number, offset: number): Listing {
    if (this.files.has(path)) return { kind: "file" };
    if (!this.directories.has(path)) {
      const nearest = parentsOf(path).findLast((parent) => this.directories.has(parent)) ?? "/";
      return { kind: "absent", nearest: nearest as never };
    }
    const prefix = path === "/" ? "/" : `${path}/`;
    const all = [
      ...childrenOf(prefix, this.directories).map((name): DirectoryEntry => ({ name, type: "directory" })),
      ...childrenOf(prefix, this.files.keys()).map((name): DirectoryEntry => ({ name, type: "file" })),
    ];
    return { kind: "directory", entries: all.slice(offset, offset + limit), total: all.length };
  }

  /** Every distinct version that the path had before the current one, the latest first. */
  pastOf(path: string): Former[] {
    const current = this.files.get(path);
    const distinct = new Map<string, Former>();
    for (const former of (this.past.get(path) ?? []).toReversed()) {
      if (!distinct.has(former.hash)) distinct.set(former.hash, former);
    }
    if (current !== undefined) distinct.delete(hashOf(current));
    return [...distinct.values()];
  }

  /** Known are the last 20 distinct versions, the current one among them, until 30 days after they gave way. */
  private formerText(path: string, cited: string, nowMs: number): string | null {
    const former = this.pastOf(path)
      .slice(0, this.files.has(path) ? known.versions - 1 : known.versions)
      .find(({ hash, replacedAtMs }) => hash === cited && nowMs - replacedAtMs < known.ms);
    return former === undefined ? null : decode(former.bytes);
  }

  private stale(path: string, bytes: Uint8Array, cited: string, nowMs: number): Expected<never> {
    const from = this.formerText(path, cited, nowMs);
    const to = decode(bytes);
    if (from === null || to === null || Buffer.byteLength(from) > diffSideMax || bytes.length > diffSideMax) {
      return { ok: false, code: "HASH_MISMATCH", change: null };
    }
    return { ok: false, code: "HASH_MISMATCH", change: { from, to } };
  }

  private missing(path: string): Expected<never> {
    return failed(this.directories.has(path) ? "INVALID_ARGUMENT" : "NOT_FOUND");
  }

  private giveWay(path: string, bytes: Uint8Array, nowMs: number): void {
    this.past.set(path, [...(this.past.get(path) ?? []), { hash: hashOf(bytes), bytes, replacedAtMs: nowMs }]);
  }
}

export function hashOf(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

function failed(code: TextErrorCode): Expected<never> {
  return { ok: false, code };
}

/** Whole lines within the limit, but at least one; null if that is everything. */
function firstLineLeftOut(lines: readonly string[]): number | null {
  let bytes = 0;
  const index = lines.findIndex((line, at) => {
    bytes += Buffer.byteLength(line);
    return bytes > readMax && at > 0;
  });
  return index === -1 ? null : index + 1;
}

function isManaged(path: string): boolean {
  return path === "/.zipfs" || path.startsWith("/.zipfs/");
}

/** Every directory above the path, the root first. */
function parentsOf(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return ["/", ...names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)];
}

function childrenOf(prefix: string, paths: Iterable<string>): string[] {
  return [...paths]
    .filter((path) => path !== "/" && path.startsWith(prefix) && !path.slice(prefix.length).includes("/"))
    .map((path) => path.slice(prefix.length))
    .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

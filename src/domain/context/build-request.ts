import { contextGlobMaxCharacters, contextGlobsMax } from "../limits";
import { parseSnapshotId, type SnapshotId } from "../manifest";
import { normalizePath, type RootPath } from "../path";
import { cutCodePoints, quote } from "../quote";
import { err, ok, type Result } from "../result";
import { type ContextError, invalidArgument } from "./errors";
import { compileGlob } from "./glob";
import { cacheRoot } from "./identifier";

/** What `context.build_cache` is asked to do (context.md §7). */
export interface BuildRequest {
  readonly cache: string;
  /** `/caches/<cache>`. */
  readonly target: RootPath;
  readonly sources: RootPath;
  /** Null: the live tree. */
  readonly snapshotId: SnapshotId | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly force: boolean;
  readonly onInvalidUtf8: "error" | "skip";
  readonly onDuplicateContent: "error" | "skip";
  readonly dryRun: boolean;
}

export const buildDefaults = { sources: "/", include: ["**/*.md"], exclude: [] } as const;

const cacheName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const cacheNamePattern = cacheName.source;

export const buildArguments = [
  "cache",
  "sources",
  "snapshot_id",
  "include",
  "exclude",
  "force",
  "on_invalid_utf8",
  "on_duplicate_content",
  "dry_run",
] as const;

type Raw = Readonly<Record<string, unknown>>;

/** The directory that a build writes to; null for a name that is none. */
export function parseTarget(cache: unknown): RootPath | null {
  return typeof cache === "string" && cacheName.test(cache) ? (`${cacheRoot}/${cache}` as RootPath) : null;
}

export function parseBuildRequest(raw: Raw): Result<BuildRequest, ContextError> {
  const unknown = unknownArgument(raw, buildArguments);
  if (unknown !== null) return err(unknown);
  const target = parseTarget(raw.cache);
  if (target === null) {
    const wanted = "a name has 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit";
    return err(invalidArgument("cache", given(raw.cache), wanted));
  }
  const sources = normalizePath(raw.sources ?? buildDefaults.sources, "sources");
  if (raw.sources === null || !sources.ok) {
    const message = sources.ok ? "sources: null was given; give a path." : sources.error.message;
    return err({ code: "invalid_query", details: { reason: "invalid_argument", message, argument: "sources" } });
  }
  const snapshotId = raw.snapshot_id === undefined ? null : parseSnapshotId(raw.snapshot_id);
  if (raw.snapshot_id !== undefined && snapshotId === null) {
    const wanted = "give what snapshot.create returned, sha256: and 64 hex digits";
    return err(invalidArgument("snapshot_id", given(raw.snapshot_id), wanted));
  }
  const include = parseGlobs(raw, "include", 1, buildDefaults.include);
  if (!include.ok) return include;
  const exclude = parseGlobs(raw, "exclude", 0, buildDefaults.exclude);
  if (!exclude.ok) return exclude;
  const choices = parseChoices(raw);
  if (!choices.ok) return choices;
  return ok({
    cache: raw.cache as string,
    target,
    sources: sources.value,
    snapshotId,
    include: include.value,
    exclude: exclude.value,
    ...choices.value,
  });
}

/** Build and verify refuse what they do not know; the other tools of the family ignore it. */
export function unknownArgument(raw: Raw, known: readonly string[]): ContextError | null {
  const unknown = Object.keys(raw).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  return invalidArgument(
    cutCodePoints(unknown.toWellFormed(), 120),
    "no such argument",
    `known are ${known.join(", ")}`,
  );
}

type Choices = Pick<BuildRequest, "force" | "onInvalidUtf8" | "onDuplicateContent" | "dryRun">;

function parseChoices(raw: Raw): Result<Choices, ContextError> {
  for (const name of ["force", "dry_run"]) {
    const value = raw[name];
    if (value !== undefined && typeof value !== "boolean") {
      return err(invalidArgument(name, given(value), "give true or false"));
    }
  }
  for (const name of ["on_invalid_utf8", "on_duplicate_content"]) {
    const value = raw[name];
    if (value !== undefined && value !== "error" && value !== "skip") {
      return err(invalidArgument(name, given(value), 'give "error" or "skip"'));
    }
  }
  return ok({
    force: raw.force === true,
    dryRun: raw.dry_run === true,
    onInvalidUtf8: raw.on_invalid_utf8 === "skip" ? "skip" : "error",
    onDuplicateContent: raw.on_duplicate_content === "skip" ? "skip" : "error",
  });
}

function parseGlobs(
  raw: Raw,
  name: "include" | "exclude",
  min: number,
  fallback: readonly string[],
): Result<readonly string[], ContextError> {
  const value = raw[name];
  if (value === undefined) return ok(fallback);
  const wanted = `give a list of ${min} to ${contextGlobsMax} globs such as "**/*.md"`;
  if (!Array.isArray(value)) return err(invalidArgument(name, given(value), wanted));
  if (value.length < min || value.length > contextGlobsMax) {
    return err(invalidArgument(name, `${value.length} globs were given`, wanted));
  }
  for (const glob of value as unknown[]) {
    if (typeof glob !== "string" || glob === "" || !glob.isWellFormed()) {
      return err(invalidArgument(name, `${given(glob)} in the list`, 'a glob is a text such as "**/*.md"'));
    }
    if (glob.length > contextGlobMaxCharacters) {
      const wanted = `a glob has at most ${contextGlobMaxCharacters}`;
      return err(invalidArgument(name, `the glob ${quote(glob)} has ${glob.length} characters`, wanted));
    }
    if (compileGlob(glob) === null) {
      return err(invalidArgument(name, `the braces of ${quote(glob)} stand for too many globs`, "use fewer braces"));
    }
  }
  return ok(value as string[]);
}

function given(value: unknown): string {
  if (value === undefined) return "nothing was given";
  return `${cutCodePoints((JSON.stringify(value) ?? "nothing").toWellFormed(), 120)} was given`;
}

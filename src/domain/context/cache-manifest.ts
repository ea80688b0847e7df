import { buildConfig, type ManifestDocument, manifestFile } from "./cache-format";
import { isDateTime } from "./date-time";
import { relativeSegments } from "./identifier";
import type { CacheProblem, ProblemName } from "./problems";
import { type FileBytes, isRecord, isWellFormed, parseStrictJson, type StrictJson } from "./strict-json";

/** A manifest that holds against §5.2 of context.md. What it says of versions and counts need not be true. */
export interface CacheManifest {
  readonly cacheVersion: string;
  readonly documentCount: number;
  readonly documents: readonly ManifestEntry[];
}

export interface ManifestEntry extends ManifestDocument {
  /** Where `file` leads, relative to the cache. */
  readonly path: string;
}

/** What stands in `manifest.json`; null: there is no such file. */
export type ReadManifest = StrictJson | null;

export function readManifest(bytes: FileBytes): ReadManifest {
  return bytes === null ? null : parseStrictJson(bytes);
}

/** The manifest, or null if anything is wrong with it. */
export function usableManifest(read: ReadManifest): CacheManifest | null {
  if (read?.kind !== "json" || !manifestProblems(read).next().done) return null;
  const { cache_version, document_count, documents } = read.value as {
    cache_version: string;
    document_count: number;
    documents: ManifestDocument[];
  };
  return {
    cacheVersion: cache_version,
    documentCount: document_count,
    documents: documents.map(({ id, version, file }) => ({ id, version, file, path: filePath(file) ?? "" })),
  };
}

/** What inspect and verify tell of a manifest, as far as it can be read; it need not be valid. */
export function readableFields(read: ReadManifest): {
  readonly cacheVersion: string | null;
  readonly documentCount: number | null;
} {
  if (read?.kind !== "json" || !isRecord(read.value)) return { cacheVersion: null, documentCount: null };
  const { cache_version: version, document_count: count } = read.value;
  return {
    cacheVersion: typeof version === "string" && version.isWellFormed() ? version : null,
    documentCount: isCount(count) ? count : null,
  };
}

/** Everything that is wrong, found as far as it is asked for: a manifest of foreign hands may be wrong in a million places. */
export function* manifestProblems(read: ReadManifest): Generator<CacheProblem> {
  if (read === null) return yield problem("missing");
  if (read.kind !== "json") return yield problem(read.kind);
  const { value, wellFormed } = read;
  if (!isRecord(value)) return yield problem("bad_field");
  if (!wellFormed) yield* illFormedFields(value);
  if (typeof value.cache_version !== "string") yield problem("bad_field", "cache_version");
  yield* buildConfigProblems(value.build_config);
  if (typeof value.created_at !== "string" || !isDateTime(value.created_at)) yield problem("bad_field", "created_at");
  if (!isCount(value.document_count)) yield problem("bad_field", "document_count");
  if (Array.isArray(value.documents)) yield* documentProblems(value.documents);
  else yield problem("bad_field", "documents");
}

function* buildConfigProblems(config: unknown): Generator<CacheProblem> {
  if (!isRecord(config)) return yield problem("bad_field", "build_config");
  for (const [name, understood] of Object.entries(buildConfig)) {
    const field = `build_config.${name}`;
    if (typeof config[name] !== "string") yield problem("bad_field", field);
    else if (config[name] !== understood) yield problem("unsupported_version", field);
  }
}

function* documentProblems(documents: readonly unknown[]): Generator<CacheProblem> {
  const ids = new Set<string>();
  for (const [index, document] of documents.entries()) {
    const field = `documents[${index}]`;
    if (!isRecord(document)) {
      yield problem("bad_field", field);
      continue;
    }
    const { id, version, file } = document;
    if (typeof id !== "string" || id === "") yield problem("bad_field", `${field}.id`);
    else if (ids.has(id)) yield problem("duplicate_id", `${field}.id`);
    else ids.add(id);
    if (typeof version !== "string") yield problem("bad_field", `${field}.version`);
    if (typeof file !== "string") yield problem("bad_field", `${field}.file`);
    else if (filePath(file) === null) yield problem("unsafe_file", `${field}.file`);
  }
}

function* illFormedFields(manifest: Record<string, unknown>): Generator<CacheProblem> {
  for (const [name, value] of Object.entries(manifest)) {
    if (!name.isWellFormed() || !isWellFormed(value)) yield problem("bad_field", name.toWellFormed());
  }
}

/** `file` is hostile input: the path below the cache that it stands for, or null if it could be one of somewhere else, or of a directory. */
function filePath(file: string): string | null {
  const segments = relativeSegments(file);
  if (segments === null || segments.length === 0 || /(^|\/)\.?$/.test(file)) return null;
  return segments.join("/");
}

/** Beyond what a number holds exactly nothing is a count: it could not be told as it stands. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function problem(name: ProblemName, field?: string): CacheProblem {
  const path = field === undefined ? manifestFile : `${manifestFile}#${field}`;
  return { check: "manifest", path, problem: name };
}

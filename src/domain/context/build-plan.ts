import { compareUtf8 } from "../byte-order";
import type { Sha256 } from "../hash";
import {
  contextBuildDocumentMaxBytes,
  contextBuildDocumentsMax,
  contextBuildTotalMaxBytes,
  contextPathsNamedMax,
} from "../limits";
import { isAtOrBelow, type RootPath } from "../path";
import { err, ok, type Result } from "../result";
import { isManagedByZipfs } from "../zipfs-area";
import type { BuildRequest } from "./build-request";
import { documentFile, documentId, documentVersion, type ManifestDocument } from "./cache-format";
import { type ContextError, tooLarge } from "./errors";
import { compileGlob } from "./glob";
import { cacheRoot } from "./identifier";

/** Which files become documents of a cache, decided before any content is read (context.md §7). */

export interface SourceFile {
  readonly path: RootPath;
  readonly blob: Sha256;
  readonly size: number;
  /** Null: not text; whether it is UTF-8 all the same, only its bytes can tell. */
  readonly lines: number | null;
}

/** A file that the globs chose. */
export interface Candidate extends SourceFile {
  /** Relative to `sources`, case kept. */
  readonly source: string;
  readonly id: string;
}

export interface PlannedDocument extends Candidate, ManifestDocument {}

export interface Skipped {
  readonly path: RootPath;
  readonly reason: "invalid_utf8" | "duplicate_content";
}

export interface BuildPlan {
  /** In the order of their ids. */
  readonly documents: readonly PlannedDocument[];
  /** In the order of their paths. */
  readonly skipped: readonly Skipped[];
}

/** The files that the globs choose, in the order of their ids, if they are not too many or too large. */
export function chooseCandidates(
  files: Iterable<SourceFile>,
  request: BuildRequest,
): Result<readonly Candidate[], ContextError> {
  const include = request.include.map(compileGlob);
  const exclude = request.exclude.map(compileGlob);
  const prefixLength = request.sources === "/" ? 1 : request.sources.length + 1;
  const candidates: Candidate[] = [];
  for (const file of files) {
    if (isLeftOut(file.path, request)) continue;
    const source = file.path.slice(prefixLength);
    if (!include.some((matches) => matches?.(source)) || exclude.some((matches) => matches?.(source))) continue;
    candidates.push({ ...file, source, id: documentId(source) });
  }
  candidates.sort((left, right) => compareUtf8(left.id, right.id) || compareUtf8(left.path, right.path));
  const refused = sizeProblem(candidates);
  return refused === null ? ok(candidates) : err(refused);
}

/** Caches and zip workspaces are no sources unless they are asked for; what is being built never is. */
function isLeftOut(path: RootPath, { sources, target }: BuildRequest): boolean {
  if (isAtOrBelow(path, target)) return true;
  if (isAtOrBelow(path, cacheRoot)) return !isAtOrBelow(sources, cacheRoot);
  return isManagedByZipfs(path) && !isManagedByZipfs(sources);
}

function sizeProblem(candidates: readonly Candidate[]): ContextError | null {
  const narrow = "Choose fewer files by sources, include and exclude.";
  if (candidates.length > contextBuildDocumentsMax) {
    const message = `${candidates.length} files match; a cache is built of at most ${contextBuildDocumentsMax}. ${narrow}`;
    return tooLarge(message, contextBuildDocumentsMax, candidates.length);
  }
  const large = candidates.find(({ size }) => size > contextBuildDocumentMaxBytes);
  if (large !== undefined) {
    const message = `${large.path} has ${large.size} bytes; a document has at most ${contextBuildDocumentMaxBytes}. Leave it out by exclude, or split it.`;
    return tooLarge(message, contextBuildDocumentMaxBytes, large.size, large.path);
  }
  const total = candidates.reduce((sum, { size }) => sum + size, 0);
  if (total <= contextBuildTotalMaxBytes) return null;
  const message = `The files that match have ${total} bytes; a cache is built of at most ${contextBuildTotalMaxBytes}. ${narrow}`;
  return tooLarge(message, contextBuildTotalMaxBytes, total);
}

/** `isUtf8` tells of the candidates that are not text. */
export function planDocuments(
  candidates: readonly Candidate[],
  isUtf8: (candidate: Candidate) => boolean,
  request: BuildRequest,
): Result<BuildPlan, ContextError> {
  const skipped: Skipped[] = [];
  const invalid = candidates.filter((one) => one.lines === null && !isUtf8(one));
  if (invalid.length > 0 && request.onInvalidUtf8 === "error") return err(invalidUtf8(invalid));
  for (const { path } of invalid) skipped.push({ path, reason: "invalid_utf8" });
  const left = new Set(invalid);
  const readable = candidates.filter((one) => !left.has(one));

  // Sorted by id, so that equal ones stand side by side.
  const second = readable.findIndex((one, index) => index > 0 && readable[index - 1]?.id === one.id);
  if (second !== -1) return err(duplicateId(readable.filter(({ id }) => id === readable[second]?.id)));

  const documents: PlannedDocument[] = [];
  const byFile = new Map<string, PlannedDocument>();
  for (const candidate of readable) {
    const version = documentVersion(candidate.blob);
    const document = { ...candidate, version, file: documentFile(version) };
    if (!byFile.has(document.file)) {
      byFile.set(document.file, document);
      documents.push(document);
    } else if (request.onDuplicateContent === "error") {
      return err(duplicateContent(firstGroup(readable)));
    } else skipped.push({ path: candidate.path, reason: "duplicate_content" });
  }
  skipped.sort((one, other) => compareUtf8(one.path, other.path));
  return ok({ documents, skipped });
}

/** The files that share a document's file, of the first such in the order of ids. */
function firstGroup(candidates: readonly Candidate[]): Candidate[] {
  const groups = Map.groupBy(candidates, ({ blob }) => documentFile(documentVersion(blob)));
  return [...groups.values()].find((group) => group.length > 1) ?? [];
}

function invalidUtf8(candidates: readonly Candidate[]): ContextError {
  const paths = namedPaths(candidates);
  const message = `${candidates.length} of the files that match are not UTF-8, the first of them ${paths[0]}. Leave them out by exclude, or pass on_invalid_utf8: "skip".`;
  return { code: "cache_invalid", details: { reason: "invalid_utf8", message, paths } };
}

function duplicateId(candidates: readonly Candidate[]): ContextError {
  const paths = namedPaths(candidates);
  const id = candidates[0]?.id ?? "";
  const message = `${paths.slice(0, 2).join(" and ")} would both be the document ${id}: ids are in lower case. Leave all but one of them out by exclude, or rename them.`;
  return { code: "cache_invalid", details: { reason: "duplicate_id", message, id, paths } };
}

function duplicateContent(candidates: readonly Candidate[]): ContextError {
  const paths = namedPaths(candidates);
  const message = `${paths.slice(0, 2).join(" and ")} have the same content, and a cache holds a content once. Leave all but one of them out by exclude, or pass on_duplicate_content: "skip".`;
  return { code: "cache_invalid", details: { reason: "duplicate_content", message, paths } };
}

function namedPaths(candidates: readonly Candidate[]): string[] {
  return candidates
    .map(({ path }) => path as string)
    .sort(compareUtf8)
    .slice(0, contextPathsNamedMax);
}

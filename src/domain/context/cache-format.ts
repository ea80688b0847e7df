import type { Sha256 } from "../hash";
import { sha256HexOfChunks } from "../hash";

/** The portable layout of a cache, byte for byte (context.md §3). */

export const manifestFile = "manifest.json";
export const indexFile = "index.json";
export const documentsFolder = "documents";

/** `version` and `hash_algorithm` that this code understands. */
export const buildConfig = { version: "1", hash_algorithm: "sha256" } as const;

export interface VersionedId {
  readonly id: string;
  /** `sha256:` and the hash of the content. */
  readonly version: string;
}

export interface ManifestDocument extends VersionedId {
  readonly file: string;
}

/** Of a path relative to the folder that is taken in, which has neither backslashes nor a leading `./`: paths of a root never have. */
export function documentId(relativePath: string): string {
  return relativePath.toLowerCase();
}

export function documentVersion(contentHash: Sha256): string {
  return `sha256:${contentHash}`;
}

const fileDigits = 12;

/** The start of its content's hash names a document's file, so there is room for one document per content. */
export function documentFile(version: string): string {
  const from = "sha256:".length;
  return `${documentsFolder}/${version.slice(from, from + fileDigits)}.json`;
}

export function documentText(document: VersionedId & { readonly source: string; readonly content: string }): string {
  const { id, version, source, content } = document;
  return JSON.stringify({ id, version, source, content, metadata: {} });
}

/** Of documents in the order of their ids. No separators: what was hashed is fixed for ever. */
export function cacheVersion(documents: Iterable<VersionedId>): string {
  return `sha256:${sha256HexOfChunks(versionChunks(documents))}`;
}

function* versionChunks(documents: Iterable<VersionedId>): Generator<string> {
  yield JSON.stringify(buildConfig);
  for (const { id, version } of documents) yield `${id}:${version}`;
}

export function manifestText(documents: readonly ManifestDocument[], createdAtMs: number): string {
  const manifest = {
    cache_version: cacheVersion(documents),
    build_config: buildConfig,
    created_at: createdAtText(createdAtMs),
    document_count: documents.length,
    documents: documents.map(({ id, version, file }) => ({ id, version, file })),
  };
  return JSON.stringify(manifest, null, 2);
}

/** By hand: an object would bring ids such as `10` and `2` into an order of its own, and has a `__proto__`. */
export function indexText(documents: readonly ManifestDocument[]): string {
  if (documents.length === 0) return "{}";
  return `{\n${documents.map(({ id, file }) => `  ${JSON.stringify(id)}: ${JSON.stringify(file)}`).join(",\n")}\n}`;
}

/** Whole seconds, so that the size of a manifest depends on its documents alone. */
function createdAtText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, "2026-01-01T00:00:00".length)}Z`;
}

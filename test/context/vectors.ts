// The vectors of the context family, and the caches in them as files.
import { readFileSync } from "node:fs";

interface VectorDocument {
  readonly id: string;
  readonly content: string;
  /** Where it is not the id. */
  readonly source?: string;
}

export interface VectorCache {
  readonly documents: readonly VectorDocument[];
  readonly created_at: string;
  readonly cache_version: string;
  readonly manifest_documents: readonly { readonly id: string; readonly version: string; readonly file: string }[];
  readonly manifest_text: string;
  readonly index_text: string;
  readonly document_files: Readonly<Record<string, string>>;
  readonly inspect_text: string;
}

export interface ResolveVector {
  readonly set: string;
  readonly query: string;
  readonly budget: number;
  /** Without the newline at the end. */
  readonly expect_text: string;
}

export interface ArgumentsVector {
  readonly args: Readonly<Record<string, unknown>>;
  readonly expect_text: string;
}

export interface FilesVector {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly resolve_args: { readonly cache: string; readonly query: string; readonly budget: number };
  readonly resolve_expect_text: string;
  readonly inspect_expect_text: string;
}

export interface BuildVector {
  readonly name: string;
  readonly sources: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Null stands for an empty directory. */
  readonly tree: Readonly<Record<string, string | null>>;
  readonly expect_ids?: readonly string[];
  readonly expect_sources?: readonly string[];
  readonly expect_cache_version?: string;
  readonly expect_skipped?: readonly { readonly path: string; readonly reason: string }[];
  readonly expect_reason?: string;
}

interface Vectors {
  readonly caches: Readonly<Record<string, VectorCache>>;
  readonly resolve: readonly ResolveVector[];
  readonly resolve_errors: readonly ArgumentsVector[];
  readonly resolve_accepted_ids: readonly {
    readonly args: Readonly<Record<string, unknown>>;
    readonly same_as: string;
  }[];
  readonly broken_caches: readonly FilesVector[];
  readonly tolerated_caches: readonly FilesVector[];
  readonly list_caches: readonly {
    readonly tree: readonly string[];
    readonly expect_text: string;
    readonly note?: string;
  }[];
  readonly inspect_errors: readonly ArgumentsVector[];
  readonly f32_text: readonly { readonly matches: number; readonly words: number; readonly text: string }[];
  readonly word_split: readonly { readonly text: string; readonly words: readonly string[] }[];
  readonly build: readonly BuildVector[];
}

export const vectors = JSON.parse(readFileSync("test/vectors/context.json", "utf8")) as Vectors;

/** The files of a cache, by paths relative to it. */
export function filesOf(cache: VectorCache): Record<string, string> {
  return { "manifest.json": cache.manifest_text, "index.json": cache.index_text, ...cache.document_files };
}

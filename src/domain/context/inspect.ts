import { type ReadManifest, readableFields } from "./cache-manifest";

/** Exactly these fields, in this order (context.md §6). */
export interface Inspection {
  readonly cache_version: string;
  readonly document_count: number;
  readonly total_bytes: number;
  readonly valid: boolean;
}

/** `filesBytes` are the files directly in the cache. A manifest that cannot be read is a result, not an error. */
export function inspectionOf(manifest: ReadManifest, filesBytes: number): Inspection {
  const { cacheVersion, documentCount } = readableFields(manifest);
  const valid = cacheVersion !== null && documentCount !== null;
  return {
    cache_version: cacheVersion ?? "",
    document_count: documentCount ?? 0,
    total_bytes: valid ? filesBytes : 0,
    valid,
  };
}

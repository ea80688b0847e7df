import { canonicalString } from "./canonical-json";
import { contentStringOf } from "./content-string";
import type { Sha256 } from "./hash";

export interface ExportedFile {
  readonly path: string;
  readonly blob: Sha256;
  readonly bytes: Uint8Array;
}

/** Canonical JSON of the files with their contents (snapshot.md §11); the files must be sorted by path. */
export function encodeExportJson(files: readonly ExportedFile[]): Uint8Array {
  const items = files.map(
    ({ path, blob, bytes }) =>
      `{"blob":"sha256:${blob}","content":${canonicalString(contentStringOf(bytes).content)},"path":${canonicalString(path)}}`,
  );
  return new TextEncoder().encode(`{"entries":[${items.join(",")}]}`);
}

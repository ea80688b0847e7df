import { compareUtf8 } from "./byte-order";
import { canonicalString } from "./canonical-json";
import { canonicalFingerprint, type Fingerprint } from "./fingerprint";
import { parseSha256, type Sha256, sha256Hex, sha256HexOfChunks } from "./hash";
import { normalizePath, type RootPath } from "./path";

declare const snapshotIdBrand: unique symbol;
/** `sha256:` and 64 hex digits: names a state of the root and a selection of its files (seed 002 §2.4). */
export type SnapshotId = string & { readonly [snapshotIdBrand]: true };

export interface ManifestEntry {
  readonly path: RootPath;
  readonly blob: Sha256;
}

/** Canonical JSON of the entries, which must be sorted by path. */
export function encodeManifest(entries: readonly ManifestEntry[]): Uint8Array {
  const items = entries.map(({ path, blob }) => `{"blob":"sha256:${blob}","path":${canonicalString(path.slice(1))}}`);
  return new TextEncoder().encode(`{"entries":[${items.join(",")}]}`);
}

/** The entries, or null when the bytes are not a manifest as we write it: every path once, in order. */
export function decodeManifest(bytes: Uint8Array): ManifestEntry[] | null {
  let parsed: { entries?: unknown };
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return null;
  }
  if (!Array.isArray(parsed?.entries)) return null;
  const entries: ManifestEntry[] = [];
  for (const item of parsed.entries as { blob?: unknown; path?: unknown }[]) {
    const blob = typeof item.blob === "string" ? parseSha256(item.blob.replace(/^sha256:/, "")) : null;
    const path = normalizePath(item.path);
    const previous = entries.at(-1);
    if (blob === null || !path.ok) return null;
    if (previous !== undefined && compareUtf8(previous.path, path.value) >= 0) return null;
    entries.push({ path: path.value, blob });
  }
  return entries;
}

export function manifestHash(bytes: Uint8Array): string {
  return `sha256:${sha256Hex(bytes)}`;
}

export function snapshotId(fingerprint: Fingerprint, manifest: Uint8Array): SnapshotId {
  return `sha256:${sha256HexOfChunks([canonicalFingerprint(fingerprint), "\n", manifest])}` as SnapshotId;
}

export function parseSnapshotId(value: unknown): SnapshotId | null {
  return typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value) ? (value as SnapshotId) : null;
}

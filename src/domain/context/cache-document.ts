import { sha256Hex } from "../hash";
import { documentVersion, type ManifestDocument } from "./cache-format";
import type { ProblemName } from "./problems";
import { isRecord, parseStrictJson } from "./strict-json";

export interface CacheDocument {
  readonly id: string;
  readonly version: string;
  readonly source: string;
  readonly content: string;
}

/** The document in the bytes of its file (context.md §5.2), or why there is none. */
export function parseDocument(bytes: Uint8Array | "too_large"): CacheDocument | "not_json" | "bad_field" {
  const parsed = parseStrictJson(bytes);
  if (parsed.kind !== "json") return "not_json";
  const { value, wellFormed } = parsed;
  if (!wellFormed || !isRecord(value)) return "bad_field";
  const { id, version, source, content, metadata } = value;
  if (typeof id !== "string" || typeof version !== "string") return "bad_field";
  if (typeof source !== "string" || typeof content !== "string") return "bad_field";
  if (!isRecord(metadata) || !Object.values(metadata).every(isFlat)) return "bad_field";
  return { id, version, source, content };
}

/** Metadata never matters to anything, so an integer may be of any size. */
function isFlat(value: unknown): boolean {
  return typeof value === "string" || Number.isInteger(value);
}

/** What the manifest's entry says of the document and is not so. */
export function documentProblems(document: CacheDocument, entry: ManifestDocument): ProblemName[] {
  const problems: ProblemName[] = [];
  if (document.id !== entry.id) problems.push("id_mismatch");
  if (document.version !== entry.version) problems.push("version_mismatch");
  if (!hasVersion(document.content, entry.version)) problems.push("hash_mismatch");
  return problems;
}

/** The document that resolve may use: one whose own `version` differs is tolerated, one of another id or content is not. */
export function usableDocument(bytes: Uint8Array | "too_large", entry: ManifestDocument): CacheDocument | null {
  const document = parseDocument(bytes);
  if (typeof document === "string" || document.id !== entry.id) return null;
  return hasVersion(document.content, entry.version) ? document : null;
}

function hasVersion(content: string, version: string): boolean {
  return documentVersion(sha256Hex(content)) === version;
}

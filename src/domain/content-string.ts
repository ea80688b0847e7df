import { decodeBase64, encodeBase64 } from "./base64";
import { err, ok, type Result } from "./result";
import { decodeText } from "./text-kind";

const prefix = "base64:";

export interface ContentString {
  readonly encoding: "utf-8" | "base64";
  readonly content: string;
}

/** How bytes travel in the snapshot family (snapshot.md §1.2): text as it is, everything else, and text that would be mistaken, as `base64:…`. */
export function contentStringOf(bytes: Uint8Array): ContentString {
  const text = decodeText(bytes);
  if (text.ok && !text.value.startsWith(prefix)) return { encoding: "utf-8", content: text.value };
  return { encoding: "base64", content: base64String(bytes) };
}

export function base64String(bytes: Uint8Array): string {
  return prefix + encodeBase64(bytes);
}

export function parseContentString(content: string): Result<Uint8Array, string> {
  if (!content.isWellFormed()) return err("the text has a lone surrogate");
  if (!content.startsWith(prefix)) return ok(new TextEncoder().encode(content));
  const decoded = decodeBase64(content.slice(prefix.length));
  if (decoded.ok) return decoded;
  return err(`not base64 at offset ${decoded.error.offset + prefix.length}: ${decoded.error.why}`);
}

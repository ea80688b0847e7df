/** The bytes of a file of a cache; null: there is no such file. What is too large to be what it should be is not read. */
export type FileBytes = Uint8Array | "too_large" | null;

export type StrictJson =
  | { readonly kind: "not_utf8" }
  | { readonly kind: "not_json" }
  | {
      readonly kind: "json";
      readonly value: unknown;
      /** False: some string in it, perhaps a key, has an unpaired surrogate. */
      readonly wellFormed: boolean;
    };

/** Text that is UTF-8 can come by a surrogate through an escape alone. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** JSON as caches must have it: strict UTF-8, and no BOM, which stays in the text and is no JSON. */
export function parseStrictJson(bytes: Uint8Array | "too_large"): StrictJson {
  if (bytes === "too_large") return { kind: "not_json" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { kind: "not_utf8" };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "json", value, wellFormed: !surrogateEscape.test(text) || isWellFormed(value) };
  } catch {
    return { kind: "not_json" };
  }
}

/** Every string and key in it. With a stack of its own: how deep foreign JSON goes is not ours to say. */
export function isWellFormed(whole: unknown): boolean {
  const waiting: unknown[] = [whole];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") {
      if (!value.isWellFormed()) return false;
    } else if (isRecord(value)) {
      for (const [key, member] of Object.entries(value)) {
        if (!key.isWellFormed()) return false;
        waiting.push(member);
      }
    } else if (Array.isArray(value)) {
      for (const item of value) waiting.push(item);
    }
  }
  return true;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

import { compareUtf8 } from "./byte-order";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * The one text of a value, for hashing (seed 002 §1.1, snapshot.md §1.4): keys by their UTF-8 bytes, no whitespace, safe integers alone.
 * Throws for a value that has no such text; that is a bug, never input.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (typeof value === "string") return canonicalString(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`a ${typeof value} has no JSON text`);
  const record = value as { readonly [key: string]: JsonValue };
  const members = Object.keys(record)
    .map((key) => [canonicalString(key), key] as const)
    .sort((left, right) => compareUtf8(left[1], right[1]))
    .map(([text, key]) => `${text}:${canonicalJson(record[key] as JsonValue)}`);
  return `{${members.join(",")}}`;
}

/** For well-formed text, what JSON.stringify writes is canonical already. */
export function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("a lone surrogate has no UTF-8 bytes");
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a safe integer`);
  return String(value === 0 ? 0 : value);
}

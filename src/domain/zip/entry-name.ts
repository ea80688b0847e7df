import { utf8Length } from "../byte-order";
import { segmentMaxBytes, zipPathDepthMax, zipPathMaxBytes } from "../limits";
import { crc32 } from "../native-bytes";
import { isGitDirectoryName } from "../path";
import { extraIds, findExtra } from "./extra-fields";
import { type CentralRecord, flagBits } from "./records";

/** 0x80 – 0xFF of the character set of the first PCs; the platform's decoder does not have it. */
const cp437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

export type SkipReason = "names_root" | "control_character" | "reserved_name" | "symlink" | "special_file";

export type JudgedName =
  | { readonly outcome: "accepted"; readonly path: string; readonly isDirectory: boolean }
  | { readonly outcome: "skipped"; readonly reason: SkipReason; readonly path: string; readonly isDirectory: boolean }
  | { readonly outcome: "invalid"; readonly why: string }
  | { readonly outcome: "escape" };

type RawName = Pick<CentralRecord, "name" | "flags" | "extra">;

/** The name as text (zipfs.md §3.4); null: flagged as UTF-8, but not UTF-8. */
export function decodeName({ name, flags, extra }: RawName): string | null {
  const utf8 = decodeUtf8(name);
  if (utf8 !== null || (flags & flagBits.utf8) !== 0) return utf8;
  return unicodePath(name, extra) ?? decodeCp437(name);
}

/** A name for messages, whatever its bytes are. */
export function shownName(raw: RawName): string {
  return decodeName(raw) ?? new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(raw.name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacter = /[\u0001-\u001f\u007f]/;

/** What becomes of a decoded name, in the order of zipfs.md §3.4. */
export function judgeName(decoded: string): JudgedName {
  if (decoded === "") return { outcome: "invalid", why: "an entry has no name" };
  if (decoded.includes("\0")) return { outcome: "invalid", why: "an entry has a name with a NUL character" };
  const name = decoded.replaceAll("\\", "/");
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name)) return { outcome: "escape" };
  const raw = name.split("/");
  if (raw.includes("..")) return { outcome: "escape" };
  const segments = raw.filter((segment) => segment !== "" && segment !== ".");
  const last = raw.at(-1);
  const isDirectory = last === "" || last === ".";
  const path = segments.join("/");
  const skipped = (reason: SkipReason) => ({ outcome: "skipped", reason, path, isDirectory }) as const;
  if (segments.length === 0) return skipped("names_root");
  if (controlCharacter.test(path)) return skipped("control_character");
  if (segments.some(isGitDirectoryName)) return skipped("reserved_name");
  if (segments.some((segment) => utf8Length(segment) > segmentMaxBytes)) {
    return { outcome: "invalid", why: `a name of more than ${segmentMaxBytes} bytes` };
  }
  if (utf8Length(path) > zipPathMaxBytes) {
    return { outcome: "invalid", why: `a path of more than ${zipPathMaxBytes} bytes` };
  }
  if (segments.length > zipPathDepthMax) {
    return { outcome: "invalid", why: `a path of more than ${zipPathDepthMax} names` };
  }
  return { outcome: "accepted", path, isDirectory };
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Info-ZIP's Unicode Path, if it was made for this very name. */
function unicodePath(name: Uint8Array, extra: Uint8Array): string | null {
  const field = findExtra(extra, extraIds.unicodePath);
  if (field === null || field.length <= 5 || field[0] !== 1) return null;
  const stated = new DataView(field.buffer, field.byteOffset).getUint32(1, true);
  return stated === crc32(name) ? decodeUtf8(field.subarray(5)) : null;
}

function decodeCp437(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : cp437[byte - 0x80];
  return text;
}

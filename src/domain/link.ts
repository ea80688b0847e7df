import { decodeBase64, encodeBase64 } from "./base64";
import { authenticationCode, equalSecrets } from "./hash";
import type { UserId } from "./principal";

/** What a single-use link says: whose object to ask, and the ticket that it must know. */
export interface Link {
  readonly userId: UserId;
  readonly ticket: string;
}

const userIdBytes = 16;
/** 144 random bits. All lengths together are a multiple of 3, so that no two texts mean the same link. */
export const ticketBytes = 18;
const signatureBytes = 32;
const linkPattern = new RegExp(`^[A-Za-z0-9_-]{${((userIdBytes + ticketBytes + signatureBytes) / 3) * 4}}$`);
const purpose = new TextEncoder().encode("holdfast link 1\0");

/** The part of the address after `/links/`: user, ticket and signature, in the URL alphabet of base64. */
export function signLink(key: Uint8Array, { userId, ticket }: Link): string {
  const user = Uint8Array.from(userId.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const secret = decodeUrl(ticket);
  if (user.length !== userIdBytes || secret?.length !== ticketBytes) throw new Error("no user id or no ticket");
  const content = joined(user, secret);
  return encodeUrl(joined(content, authenticationCode(key, joined(purpose, content))));
}

/** Could this be a link? Tells what needs no key to be refused. */
export function looksLikeLink(text: string): boolean {
  return linkPattern.test(text);
}

/** Null: we have not signed this. */
export function openLink(key: Uint8Array, text: string): Link | null {
  const bytes = looksLikeLink(text) ? decodeUrl(text) : null;
  if (bytes === null) return null;
  const content = bytes.subarray(0, userIdBytes + ticketBytes);
  const signature = bytes.subarray(userIdBytes + ticketBytes);
  if (!equalSecrets(signature, authenticationCode(key, joined(purpose, content)))) return null;
  const userId = Array.from(content.subarray(0, userIdBytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { userId: userId as UserId, ticket: encodeUrl(content.subarray(userIdBytes)) };
}

/** For lengths that are a multiple of 3: there is no padding. */
export function encodeUrl(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}

function decodeUrl(text: string): Uint8Array | null {
  const bytes = decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes.ok ? bytes.value : null;
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}

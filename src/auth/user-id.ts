import type { UserId } from "../domain/principal";

/** The issuer of names typed into the local login page. No URL, so it can be no real issuer. */
export const localIssuer = "local";

const userIdPattern = /^[0-9a-f]{32}$/;

/** Opaque and stable: the same person at the same issuer always gets the same root. Contains no ":", which separates the parts of a token. */
export async function deriveUserId(issuer: string, subject: string): Promise<UserId> {
  return (await sha256Hex(`${issuer}\n${subject}`)).slice(0, 32) as UserId;
}

export function isUserId(text: string): text is UserId {
  return userIdPattern.test(text);
}

export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

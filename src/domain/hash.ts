import { createHash, createHmac, timingSafeEqual } from "node:crypto";

declare const sha256Brand: unique symbol;
/** SHA-256 of stored bytes, 64 lower-case hex digits (MCP-031). */
export type Sha256 = string & { readonly [sha256Brand]: true };

/** Synchronous, because it also runs inside transactions; Web Crypto is not. A string counts as its UTF-8 bytes. */
export function sha256Hex(content: Uint8Array | string): Sha256 {
  return createHash("sha256").update(content).digest("hex") as Sha256;
}

/** The same over the pieces in turn, for bytes that nobody needs in one place. */
export function sha256HexOfChunks(chunks: Iterable<Uint8Array | string>): Sha256 {
  return hexOfChunks("sha256", chunks) as Sha256;
}

/** For the object ids of git alone: what must hold against forgery is named by SHA-256. */
export function sha1HexOfChunks(chunks: Iterable<Uint8Array | string>): string {
  return hexOfChunks("sha1", chunks);
}

/** A hash of bytes that arrive one piece after the other. */
export interface RunningHash {
  update(piece: Uint8Array | string): void;
  /** Ends it. */
  hex(): string;
}

export function runningSha256(): RunningHash {
  return running("sha256");
}

/** For the object ids of git alone. */
export function runningSha1(): RunningHash {
  return running("sha1");
}

/** HMAC-SHA-256, 32 bytes. */
export function authenticationCode(key: Uint8Array, message: Uint8Array): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(message).digest());
}

/** In the same time wherever they differ. */
export function equalSecrets(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Upper case and a `sha256:` prefix are refused: they are mistakes, not stale versions. */
export function parseSha256(value: unknown): Sha256 | null {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? (value as Sha256) : null;
}

const encoder = new TextEncoder();

function hexOfChunks(algorithm: "sha1" | "sha256", chunks: Iterable<Uint8Array | string>): string {
  const hash = running(algorithm);
  for (const chunk of chunks) hash.update(chunk);
  return hash.hex();
}

function running(algorithm: "sha1" | "sha256"): RunningHash {
  const hash = createHash(algorithm);
  return {
    // The platform's own way from a string to bytes is many times slower than this.
    update: (piece) => void hash.update(typeof piece === "string" ? encoder.encode(piece) : piece),
    hex: () => hash.digest("hex"),
  };
}

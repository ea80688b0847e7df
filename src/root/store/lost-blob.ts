import type { Sha256 } from "../../domain/hash";

/** A content that something names is not here, or not as it was. A fault of ours; who named it decides what the caller is told. */
export class LostBlob extends Error {
  constructor(
    readonly hash: Sha256,
    how: string,
  ) {
    super(`blob ${hash} ${how}`);
  }
}

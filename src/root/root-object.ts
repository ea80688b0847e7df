import type { CheckReport, Revocation } from "./contract";
import { checkRoot } from "./operations/check/check-root";
import { WithZip } from "./surface/zip";

/**
 * One per user: serializes the user's root and everything that points into it. Knows nothing of MCP or OAuth.
 * Its surface is made of one layer per family, each a thin method per operation.
 */
export class RootObject extends WithZip {
  /** Reads every byte of the root and holds it against the invariants. For operators: no request of a client leads here. */
  check(): Promise<CheckReport> {
    return checkRoot(this.storage.sql, this.bucket, this.root.snapshots);
  }

  /** Called by the AuthStore before it forgets a grant or a token. */
  async revoke({ grantId, tokenId }: Revocation): Promise<void> {
    this.revocations.add(grantId, tokenId, Date.now());
    this.streams.endGrant(grantId, tokenId);
    await this.clock.ringBy(this.revocations.nextDueMs());
  }
}

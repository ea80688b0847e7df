import type { Chore } from "../alarm-clock";
import type { Blobs } from "./blobs";
import type { SettledStorage } from "./settled-storage";
import type { Versions } from "./versions";

/** One round takes at most this many, so that requests come in between. */
const roundVersions = 500;

/** Former versions that are too old to be known fall out of the history. */
export class VersionUpkeep implements Chore {
  constructor(
    private readonly storage: SettledStorage,
    private readonly versions: Versions,
    private readonly blobs: Blobs,
  ) {}

  run(nowMs: number): void {
    this.storage.transactionSync(() => {
      this.blobs.condemnUnnamed(this.versions.forgetOld(nowMs, roundVersions), nowMs);
    });
  }

  nextDueMs(): number | null {
    return this.versions.nextEndMs();
  }
}

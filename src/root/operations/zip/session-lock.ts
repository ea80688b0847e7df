import { zipLockWaitMs } from "../../../domain/limits";
import { err, ok } from "../../../domain/result";
import { utcSeconds } from "../../../domain/zip/entry-times";
import { locked } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import type { LockKind } from "../../store/zip-locks";
import type { ZipSession } from "../../store/zip-sessions";
import type { ZipOutcome } from "./find-session";

const pollMs = 50;
const renewEveryMs = 1000;

/** The right to work on a session alone, until it is given back or lost. */
export interface HeldLock {
  /** For the way: false if it was found lost, which is looked up now and then. */
  renew(): boolean;
  /** False: it is lost; nothing may be written any more. */
  isHeld(): boolean;
  release(): void;
}

/** Waits for others up to LOCK_WAIT. */
export async function takeLock(root: RootState, session: ZipSession, kind: LockKind): Promise<ZipOutcome<HeldLock>> {
  const { locks } = root.zip;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const owner = root.transaction(() => locks.take(session.id, kind, root.now()));
    if (owner !== null) {
      let renewedMs = root.now();
      const isHeld = () => {
        renewedMs = root.now();
        return locks.renew(session.id, owner, renewedMs);
      };
      return ok({
        renew: () => root.now() - renewedMs < renewEveryMs || isHeld(),
        isHeld,
        release: () => root.transaction(() => locks.release(session.id, owner)),
      });
    }
    const holder = locks.find(session.id);
    if (waitedMs >= zipLockWaitMs && holder !== null) {
      return err(locked(session.name || session.id, holder.kind, utcSeconds(holder.sinceMs)));
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

import type { ZipLimits } from "../../domain/zip/zip-limits";
import { ZipBackups } from "./zip-backups";
import { ZipEntries } from "./zip-entries";
import { ZipLocks } from "./zip-locks";
import { ZipSessions } from "./zip-sessions";

/** Everything that the user's object keeps for zip sessions, beside the files in their workspaces. */
export class ZipStore {
  readonly sessions: ZipSessions;
  readonly entries: ZipEntries;
  readonly locks: ZipLocks;
  readonly backups: ZipBackups;

  constructor(
    sql: SqlStorage,
    readonly limits: ZipLimits,
  ) {
    this.sessions = new ZipSessions(sql);
    this.entries = new ZipEntries(sql);
    this.locks = new ZipLocks(sql);
    this.backups = new ZipBackups(sql);
    this.locks.dropAll();
  }
}

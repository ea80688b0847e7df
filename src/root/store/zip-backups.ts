import type { Sha256 } from "../../domain/hash";
import type { RootPath } from "../../domain/path";

/** The backups that sync made, by where and what they are: a file that is not among them is somebody else's. */
export class ZipBackups {
  constructor(private readonly sql: SqlStorage) {}

  isOurs(path: RootPath, blob: Sha256): boolean {
    return this.sql.exec("SELECT 1 FROM zip_backups WHERE path = ? AND blob = ?", path, blob).toArray().length > 0;
  }

  note(path: RootPath, blob: Sha256): void {
    this.sql.exec("INSERT OR REPLACE INTO zip_backups (path, blob) VALUES (?, ?)", path, blob);
  }
}

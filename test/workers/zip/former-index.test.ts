// A session that was opened when every entry of its index was a row of its own goes on with the index of today.
import { beforeEach, describe, expect, it } from "vitest";
import { decodeIndex, indexedPaths } from "../../../src/domain/zip/index-parts";
import { encodeCentralRecord } from "../../../src/domain/zip/write-records";
import { applySchema } from "../../../src/root/store/schema";
import { clock } from "../clock";
import { freshRoot } from "../root";
import { good, ZipObject } from "./zip-object";

beforeEach(() => clock.reset());

const formerTables = `
  CREATE TABLE zip_entries (session_id TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL,
    reason TEXT, hash TEXT, anchor TEXT, central BLOB NOT NULL, extra_offset INTEGER NOT NULL,
    extra_length INTEGER NOT NULL, kept_when_copied INTEGER NOT NULL, kept_when_replaced INTEGER NOT NULL,
    PRIMARY KEY (session_id, seq));
  CREATE TABLE zip_baselines (session_id TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (session_id, path)) WITHOUT ROWID;
  CREATE TABLE blobs_former (hash TEXT PRIMARY KEY, git_oid TEXT NOT NULL, size INTEGER NOT NULL, lines INTEGER, r2_key TEXT,
    written_at_ms INTEGER NOT NULL, used_at_ms INTEGER NOT NULL, condemned_at_ms INTEGER, bytes BLOB,
    pinned INTEGER NOT NULL DEFAULT 0, utf8 INTEGER, CHECK (bytes IS NOT NULL OR r2_key IS NOT NULL));
  INSERT INTO blobs_former SELECT hash, git_oid, size, lines, r2_key, written_at_ms, used_at_ms, condemned_at_ms, bytes,
    pinned, utf8 FROM blobs LEFT JOIN contents USING (id);
  DROP TABLE blobs; DROP TABLE contents; ALTER TABLE blobs_former RENAME TO blobs;`;

/** Puts the rows where they were before the last four steps of the schema. */
function putBack({ sql }: DurableObjectStorage): void {
  const parts = (which: string) =>
    sql
      .exec<{ session_id: string; part: string }>(
        "SELECT session_id, part FROM zip_indexes WHERE which = ? ORDER BY number",
        which,
      )
      .toArray();
  const [current, opened] = [parts("current"), parts("opened")];
  sql.exec(`DROP TABLE edit_journal; DROP TABLE zip_indexes; DROP TABLE deposits; ${formerTables}`);
  const entries = decodeIndex(current.map(({ part }) => part));
  for (const [seq, { kind, path, reason, hash, anchor, record, ...extra }] of entries.entries()) {
    sql.exec(
      "INSERT INTO zip_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      current[0]?.session_id ?? "",
      seq,
      kind,
      path,
      reason,
      hash,
      anchor,
      encodeCentralRecord(record),
      extra.extraOffset,
      extra.extraLength,
      extra.keptWhenCopied,
      extra.keptWhenReplaced,
    );
  }
  for (const { path, hash } of indexedPaths(opened.map(({ part }) => part))) {
    if (hash !== null) sql.exec("INSERT INTO zip_baselines VALUES (?, ?, ?)", opened[0]?.session_id ?? "", path, hash);
  }
  sql.exec("UPDATE meta SET value = value - 4 WHERE key = 'schema'");
}

describe("A session of the time before indexes were stored in parts", () => {
  it.each([
    ["opened", false],
    ["synced", true],
  ])("that was %s knows what changed, and is synced to the same archive", async (_, syncs) => {
    const outcome = async (migrates: boolean) => {
      clock.reset();
      const zip = new ZipObject(freshRoot());
      await zip.put([
        { name: "é/a", data: "one", comment: 'with "quotes"' },
        { name: "link", data: "a", madeBy: 3 << 8, externalAttributes: 0o120777 * 65536 },
        { name: "b", data: "two" },
      ]);
      good(await zip.open());
      good(await zip.write("b", "changed"));
      if (syncs) good(await zip.sync());
      if (migrates) {
        await zip.root.inObject((_instance, { storage }) => {
          storage.transactionSync(() => putBack(storage));
          applySchema(storage);
        });
        await zip.root.evict();
      }
      good(await zip.write("new", "three"));
      const { modified, added, unsynced } = good(await zip.status());
      good(await zip.sync());
      return { modified, added, unsynced, archive: await zip.sourceHash() };
    };
    const [migrated, untouched] = [await outcome(true), await outcome(false)];
    expect(migrated).toEqual(untouched);
    expect(migrated).toMatchObject({ modified: ["b"], added: ["new"] });
  });
});

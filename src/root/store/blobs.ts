import { gitBlobId } from "../../domain/git-objects";
import { type Sha256, sha256Hex } from "../../domain/hash";
import { blobGraceMs, inlineBlobMaxBytes } from "../../domain/limits";
import { BlobReads } from "./blob-reads";
import { type DepositId, Deposits } from "./deposits";
import { insertRows } from "./insert-rows";
import { jsonLists } from "./json-lists";
import { LostBlob } from "./lost-blob";
import type { FileFacts } from "./tree";

/** Does the tree, the history, a snapshot or a zip session name the blob? Holds for a row of `blobs`. */
export const isNamed = `pinned = 1 OR EXISTS (SELECT 1 FROM nodes WHERE blob = hash)
  OR EXISTS (SELECT 1 FROM versions WHERE blob = hash) OR EXISTS (SELECT 1 FROM zip_sessions WHERE base_blob = hash)`;

/** Content that is ready to be named by the tree: inline bytes, or an object in R2 that holds them already. */
export interface StagedBlob extends FileFacts {
  readonly bytes: Uint8Array | null;
  readonly r2Key: string | null;
}

/** Content that is small enough to be stored with the tree. */
export interface InlineBlob extends FileFacts {
  readonly bytes: Uint8Array;
}

/** Contents by SHA-256. Small ones live in SQLite, in the transaction that names them; large ones go to R2 before it. */
export class Blobs extends BlobReads {
  private readonly deposits = new Deposits(this.sql);

  /** Makes the bytes durable as far as that can be done before the transaction that names them. */
  async stage(bytes: Uint8Array, lines: number | null, nowMs: number): Promise<StagedBlob> {
    const staged = this.stageInline(bytes, lines);
    if (bytes.length <= inlineBlobMaxBytes) return staged;
    if (this.renewGrace(staged.blob, nowMs)) return { ...staged, bytes: null };
    const r2Key = this.announceObject(nowMs);
    await this.bucket.put(r2Key, bytes, staged.blob);
    return { ...staged, bytes: null, r2Key };
  }

  /** Content that is small enough to come with the transaction. */
  stageInline(bytes: Uint8Array, lines: number | null): StagedBlob {
    return { blob: sha256Hex(bytes), gitOid: gitBlobId(bytes), size: bytes.length, lines, bytes, r2Key: null };
  }

  /** Inside the transaction that names the blob. */
  adopt(staged: StagedBlob, nowMs: number): void {
    // Content that came with neither bytes nor a key was here when it was staged.
    const isKnown = staged.bytes === null && staged.r2Key === null;
    if (isKnown || !this.insertNew(staged, nowMs)) {
      const taken = this.sql.exec(
        "UPDATE blobs SET condemned_at_ms = NULL, used_at_ms = ?2 WHERE hash = ?1",
        staged.blob,
        nowMs,
      ).rowsWritten;
      if (taken === 0) throw new LostBlob(staged.blob, "was here and is gone");
      if (staged.bytes !== null) this.warm(staged.blob, staged.bytes);
      return;
    }
    if (staged.r2Key === null) return;
    if (!this.isAnnounced(staged.r2Key, nowMs)) {
      throw new Error(`${staged.r2Key} was given up before blob ${staged.blob} took it`);
    }
    this.sql.exec("DELETE FROM stray_objects WHERE r2_key = ?", staged.r2Key);
  }

  /** False, and nothing done, if the content is here already. Most contents are new. */
  private insertNew(staged: StagedBlob, nowMs: number): boolean {
    const [added] = this.sql
      .exec<{ id: number }>(
        `INSERT INTO blobs (hash, git_oid, size, lines, r2_key, written_at_ms, used_at_ms, is_inline)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING RETURNING id`,
        staged.blob,
        staged.gitOid,
        staged.size,
        staged.lines,
        staged.r2Key,
        nowMs,
        nowMs,
        staged.bytes === null ? 0 : 1,
      )
      .toArray();
    if (added === undefined) return false;
    if (staged.bytes !== null) this.sql.exec("INSERT INTO contents (id, bytes) VALUES (?, ?)", added.id, staged.bytes);
    return true;
  }

  /**
   * Stores a content that a later transaction will name, so that many of them need not be in memory until then. It is condemned from the
   * start: whoever never names it leaves it to the collector. Gives false if its object is the collector's by now.
   */
  deposit(staged: StagedBlob, nowMs: number): boolean {
    if (this.renewGrace(staged.blob, nowMs)) {
      if (staged.bytes !== null) this.warm(staged.blob, staged.bytes);
      if (staged.r2Key !== null) this.renewObject(staged.blob, staged.r2Key, nowMs);
      return true;
    }
    if (staged.r2Key !== null && !this.isAnnounced(staged.r2Key, nowMs)) return false;
    this.adopt(staged, nowMs);
    this.condemnUnnamed([staged.blob], nowMs);
    return true;
  }

  /** Of a content that nothing names, the object just written is as good as the former one, or better: nobody has relied on that yet. */
  private renewObject(hash: Sha256, r2Key: string, nowMs: number): void {
    const [former] = this.sql
      .exec<{ r2_key: string }>(
        "SELECT r2_key FROM blobs WHERE hash = ? AND condemned_at_ms IS NOT NULL AND r2_key IS NOT NULL",
        hash,
      )
      .toArray();
    if (former === undefined || !this.isAnnounced(r2Key, nowMs)) return;
    this.sql.exec("UPDATE blobs SET r2_key = ? WHERE hash = ?", r2Key, hash);
    this.sql.exec("DELETE FROM stray_objects WHERE r2_key = ?", r2Key);
    this.leaveToCollector(former.r2_key, nowMs);
  }

  /**
   * The same for many small contents at once, with few statements. New ones are not condemned but on a list, which `settle` or `giveUp`
   * takes away, or the collector after the grace period.
   */
  depositAll(contents: readonly InlineBlob[], nowMs: number): DepositId {
    const fresh = new Map(contents.map((content) => [content.blob, content]));
    const hashes = JSON.stringify([...fresh.keys()]);
    const known = this.sql
      .exec<{ hash: string; cold: number }>(
        "SELECT hash, 1 - is_inline AS cold FROM blobs WHERE hash IN (SELECT value FROM json_each(?))",
        hashes,
      )
      .toArray();
    if (known.length > 0) {
      this.sql.exec(
        `UPDATE blobs SET condemned_at_ms = ?1
          WHERE hash IN (SELECT value FROM json_each(?2)) AND condemned_at_ms IS NOT NULL`,
        nowMs,
        hashes,
      );
    }
    for (const { hash, cold } of known) {
      const content = fresh.get(hash as Sha256);
      if (cold === 1 && content !== undefined) this.warm(content.blob, content.bytes);
      fresh.delete(hash as Sha256);
    }
    const firstId = this.nextId();
    insertRows(
      this.sql,
      "blobs (id, hash, git_oid, size, lines, written_at_ms, used_at_ms, is_inline)",
      [...fresh.values()].map(({ blob, gitOid, size, lines }, index) => {
        return [firstId + index, blob, gitOid, size, lines, nowMs, nowMs, 1];
      }),
    );
    insertRows(
      this.sql,
      "contents (id, bytes)",
      [...fresh.values()].map(({ bytes }, index) => [firstId + index, bytes]),
    );
    this.wakeBy(nowMs + blobGraceMs);
    return this.deposits.note([...fresh.keys()], nowMs);
  }

  private nextId(): number {
    return this.sql.exec<{ id: number }>("SELECT coalesce(max(id), 0) + 1 AS id FROM blobs").one().id;
  }

  /** Inside the transaction that names what was deposited. */
  settle(deposits: readonly DepositId[]): void {
    this.deposits.settle(deposits);
  }

  /** What was deposited will not be named. */
  giveUp(deposits: readonly DepositId[], nowMs: number): void {
    this.condemnUnnamed(this.deposits.take(deposits), nowMs);
  }

  /** Inside the transaction that names contents which are here already. */
  retain(hashes: readonly Sha256[]): void {
    for (const list of jsonLists(hashes)) {
      this.sql.exec(
        "UPDATE blobs SET condemned_at_ms = NULL WHERE hash IN (SELECT value FROM json_each(?)) AND condemned_at_ms IS NOT NULL",
        list,
      );
    }
  }

  /** Inside the transaction that dropped a reference: what nothing names any more waits for its end. */
  condemnUnnamed(hashes: readonly Sha256[], nowMs: number): void {
    let condemned = 0;
    for (const list of jsonLists(hashes)) {
      condemned += this.sql.exec(
        `UPDATE blobs SET condemned_at_ms = ?2
          WHERE hash IN (SELECT value FROM json_each(?1)) AND condemned_at_ms IS NULL AND NOT (${isNamed})`,
        list,
        nowMs,
      ).rowsWritten;
    }
    if (condemned > 0) this.wakeBy(nowMs + blobGraceMs);
  }

  /** A snapshot is about to name these, for ever. */
  pin(hashes: readonly Sha256[]): void {
    for (const list of jsonLists(hashes)) {
      this.sql.exec(
        `UPDATE blobs SET pinned = 1, condemned_at_ms = NULL
          WHERE hash IN (SELECT value FROM json_each(?)) AND pinned = 0`,
        list,
      );
    }
  }

  /** Is the blob here already? If it is condemned, its time begins anew, so that it outlives the work at hand. */
  private renewGrace(hash: Sha256, nowMs: number): boolean {
    const rows = this.sql.exec("SELECT 1 FROM blobs WHERE hash = ?", hash).toArray();
    if (rows.length === 0) return false;
    this.sql.exec("UPDATE blobs SET condemned_at_ms = ? WHERE hash = ? AND condemned_at_ms IS NOT NULL", nowMs, hash);
    return true;
  }
}

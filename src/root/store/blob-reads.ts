import type { GitOid } from "../../domain/git-objects";
import { type Sha256, sha256Hex } from "../../domain/hash";
import { blobColdMs, inlineBlobMaxBytes } from "../../domain/limits";
import { decodeText } from "../../domain/text-kind";
import type { BlobBucket } from "../../storage/blob-bucket";
import { BlobBatches, type BlobToRead, usedStepMs } from "./blob-batches";
import { jsonLists } from "./json-lists";
import { LostBlob } from "./lost-blob";
import { ObjectKeys } from "./object-keys";
import { RecentTexts } from "./recent-texts";
import type { FileFacts } from "./tree";

/** One piece of a large content. */
const rangeBytes = 1024 * 1024;

/** Of so many it is worth a look which of them are remembered. */
const fewTexts = 64;

/** `text`: the content, where that is at hand. */
interface TextToRead extends BlobToRead {
  readonly text?: string;
}

interface BlobRow extends Record<string, SqlStorageValue> {
  r2_key: string | null;
  used_at_ms: number;
  bytes: ArrayBuffer | null;
}

/** Where the bytes of a blob are. The key is for our own Worker and never leaves it. */
export type BlobPlace =
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "bucket"; readonly r2Key: string };

/** Reads contents by SHA-256, and what is known of them, wherever their bytes are. */
export class BlobReads extends ObjectKeys {
  private readonly recentTexts = new RecentTexts();
  private readonly batches: BlobBatches;

  constructor(
    sql: SqlStorage,
    /** Without the edits that wait; what is not found there is asked for again with them. */
    private readonly tables: SqlStorage,
    bucket: BlobBucket,
    wakeBy: (dueMs: number) => void,
  ) {
    super(sql, bucket, wakeBy);
    this.batches = new BlobBatches(tables, (hash, nowMs) => this.read(hash, nowMs));
  }

  /** The exact bytes. Missing or wrong ones are a fault of ours and throw; they are never an empty file. */
  async read(hash: Sha256, nowMs: number): Promise<Uint8Array> {
    const place = this.locate(hash, nowMs);
    if (place.kind === "inline") return place.bytes;
    const bytes = await this.bucket.get(place.r2Key);
    if (bytes === null) throw new LostBlob(hash, `is not at ${place.r2Key}`);
    if (sha256Hex(bytes) !== hash) throw new LostBlob(hash, `at ${place.r2Key} has other bytes`);
    // What is read is warm again, until it is cold again.
    if (bytes.length <= inlineBlobMaxBytes) {
      this.warm(hash, bytes);
      this.wakeBy(nowMs + blobColdMs);
    }
    return bytes;
  }

  /** The content as text, which its row says it is. */
  async readText(hash: Sha256, nowMs: number): Promise<string> {
    const recent = this.rememberedText(hash, nowMs);
    if (recent !== undefined) return recent;
    const decoded = decodeText(await this.read(hash, nowMs));
    if (!decoded.ok) throw new Error(`blob ${hash} is not text: ${decoded.error.why}`);
    this.recentTexts.add(hash, decoded.value, nowMs);
    return decoded.value;
  }

  /** A text that is at hand without a look at the tables. */
  rememberedText(hash: Sha256, nowMs: number): string | undefined {
    const recent = this.recentTexts.get(hash);
    return recent !== undefined && recent.usedAtMs + usedStepMs > nowMs ? recent.text : undefined;
  }

  /** `text` is the content: it will be read again soon. */
  keepText(hash: Sha256, text: string, nowMs: number): void {
    this.recentTexts.add(hash, text, nowMs);
  }

  /** The text of a content that is known to be here, without waiting for anything. */
  readInlineText(hash: Sha256, nowMs: number): string {
    const place = this.locate(hash, nowMs);
    if (place.kind !== "inline") throw new LostBlob(hash, "is not inline");
    const decoded = decodeText(place.bytes);
    if (!decoded.ok) throw new Error(`blob ${hash} is not text: ${decoded.error.why}`);
    return decoded.value;
  }

  /** The bytes, or the key under which R2 holds them. Counts as a use. */
  locate(hash: Sha256, nowMs: number): BlobPlace {
    const row = this.placeOf(this.tables, hash) ?? this.placeOf(this.sql, hash);
    if (row === undefined) throw new LostBlob(hash, "has no row");
    if (row.used_at_ms + usedStepMs <= nowMs) {
      this.tables.exec("UPDATE blobs SET used_at_ms = ? WHERE hash = ?", nowMs, hash);
    }
    if (row.bytes !== null) return { kind: "inline", bytes: new Uint8Array(row.bytes) };
    if (row.r2_key === null) throw new LostBlob(hash, "is nowhere");
    return { kind: "bucket", r2Key: row.r2_key };
  }

  private placeOf(sql: SqlStorage, hash: Sha256): BlobRow | undefined {
    return sql
      .exec<BlobRow>(`SELECT r2_key, used_at_ms, bytes FROM blobs LEFT JOIN contents USING (id) WHERE hash = ?`, hash)
      .toArray()[0];
  }

  /** A part of the bytes. Unlike the whole, a part is not held against the hash. */
  async readRange(hash: Sha256, offset: number, length: number, nowMs: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const place = this.locate(hash, nowMs);
    if (place.kind === "inline") return place.bytes.subarray(offset, offset + length);
    const bytes = await this.bucket.getRange(place.r2Key, offset, length);
    if (bytes === null) throw new LostBlob(hash, `is not at ${place.r2Key}`);
    return bytes;
  }

  /** All bytes, in pieces of bounded size. */
  async *readPieces(hash: Sha256, size: number, nowMs: number): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < size; at += rangeBytes) {
      yield await this.readRange(hash, at, Math.min(rangeBytes, size - at), nowMs);
    }
  }

  /** What is known of a content without reading it. */
  factsOf(hash: Sha256): FileFacts | null {
    const row = this.sql
      .exec<{ git_oid: string; size: number; lines: number | null }>(
        "SELECT git_oid, size, lines FROM blobs WHERE hash = ?",
        hash,
      )
      .toArray()[0];
    if (row === undefined) return null;
    return { blob: hash, gitOid: row.git_oid as GitOid, size: row.size, lines: row.lines };
  }

  /** Texts of many files, in their order, a few at a time. What is read is known to be text. */
  async *readTexts(files: readonly TextToRead[], nowMs: number): AsyncGenerator<readonly string[], void> {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const atHand = files.map(({ blob, text }) => {
      return text ?? (files.length <= fewTexts ? this.rememberedText(blob, nowMs) : undefined);
    });
    const stored = files.filter((_, index) => atHand[index] === undefined);
    let next = 0;
    // SQLite hands over a text with fewer copies than bytes that are decoded then.
    for await (const contents of this.batches.read<string>(stored, "CAST(bytes AS TEXT)", nowMs)) {
      const texts: string[] = [];
      for (const content of contents) {
        for (; atHand[next] !== undefined; next++) texts.push(atHand[next] as string);
        texts.push(typeof content === "string" ? content : decoder.decode(content));
        next++;
      }
      yield texts;
    }
    if (next < files.length) yield atHand.slice(next) as string[];
  }

  /** Bytes of many files, in their order. */
  async *readAll(files: readonly BlobToRead[], nowMs: number): AsyncGenerator<Uint8Array, void> {
    for await (const contents of this.batches.read<ArrayBuffer>(files, "bytes", nowMs)) {
      for (const content of contents) yield content instanceof Uint8Array ? content : new Uint8Array(content);
    }
  }

  /** Facts of many contents at once, by hash; those that are not here are left out. */
  factsOfAll(hashes: readonly Sha256[]): Map<Sha256, FileFacts> {
    const facts = new Map<Sha256, FileFacts>();
    for (const list of jsonLists(hashes)) {
      const rows = this.sql.exec<{ hash: string; git_oid: string; size: number; lines: number | null }>(
        "SELECT hash, git_oid, size, lines FROM blobs WHERE hash IN (SELECT value FROM json_each(?))",
        list,
      );
      for (const { hash, git_oid: gitOid, size, lines } of rows) {
        facts.set(hash as Sha256, { blob: hash as Sha256, gitOid: gitOid as GitOid, size, lines });
      }
    }
    return facts;
  }

  /** Whether a blob that is no text is UTF-8 all the same; null while nobody has looked. */
  utf8Verdict(hash: Sha256): boolean | null {
    const row = this.sql.exec<{ utf8: number | null }>("SELECT utf8 FROM blobs WHERE hash = ?", hash).toArray()[0];
    return row === undefined || row.utf8 === null ? null : row.utf8 === 1;
  }

  keepUtf8Verdict(hash: Sha256, isUtf8: boolean): void {
    this.sql.exec("UPDATE blobs SET utf8 = ? WHERE hash = ?", isUtf8 ? 1 : 0, hash);
  }

  /** The bytes of a blob are at hand: they need not be fetched from R2 the next time. */
  protected warm(hash: Sha256, bytes: Uint8Array): void {
    this.sql.exec(
      "INSERT INTO contents (id, bytes) SELECT id, ?2 FROM blobs WHERE hash = ?1 AND is_inline = 0",
      hash,
      bytes,
    );
  }
}

import type { ContentFacts } from "../domain/content-scan";
import type { Sha256 } from "../domain/hash";
import { measureObject } from "./upload";

/** The blobs of one user in R2. Every object has a key of its own, so deleting one never races with writing another. */
export class BlobBucket {
  constructor(
    private readonly bucket: R2Bucket,
    private readonly owner: string,
  ) {}

  newKey(): string {
    return `u/${this.owner}/${crypto.randomUUID()}`;
  }

  /** R2 refuses bytes that do not hash to `sha256`. */
  async put(key: string, bytes: Uint8Array, sha256: Sha256): Promise<void> {
    await this.bucket.put(key, bytes, { sha256 });
  }

  /** A stream of known length; nothing is stored if it breaks off. */
  async putStream(key: string, stream: ReadableStream<Uint8Array>): Promise<void> {
    await this.bucket.put(key, stream);
  }

  async getRange(key: string, offset: number, length: number): Promise<Uint8Array | null> {
    const object = await this.bucket.get(key, { range: { offset, length } });
    return object === null ? null : object.bytes();
  }

  async get(key: string): Promise<Uint8Array | null> {
    const object = await this.bucket.get(key);
    return object === null ? null : object.bytes();
  }

  /** Size and checksum without the bytes. */
  async facts(key: string): Promise<{ readonly size: number; readonly sha256: string | undefined } | null> {
    const object = await this.bucket.head(key);
    return object === null ? null : { size: object.size, sha256: object.checksums.toJSON().sha256 };
  }

  /** What the bytes are, read in pieces; null: there are none. */
  measure(key: string): Promise<ContentFacts | null> {
    return measureObject(this.bucket, key);
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.bucket.delete([...keys]);
  }
}

import { type ContentFacts, ContentScan } from "../domain/content-scan";
import { runningSha256, type Sha256 } from "../domain/hash";
import { uploadMaxBytes, uploadPartBytes, uploadPieceBytes } from "../domain/limits";

/** The client stopped before the end of its body. */
export class BrokenOff extends Error {}

/** The body is longer than an upload may be. */
export class TooLong extends Error {}

/** A body that is read in pieces of bounded size. */
export class UploadBody {
  private readonly reader: ReadableStreamBYOBReader | null;
  /** Bytes read so far. */
  taken = 0;

  constructor(body: ReadableStream<Uint8Array> | null) {
    this.reader = body?.getReader({ mode: "byob" }) ?? null;
  }

  /** Fills the buffer; gives less only at the end of the body. The buffer itself is gone: that of the answer takes its place. */
  async fill(buffer: ArrayBuffer): Promise<Uint8Array> {
    let filling = buffer;
    let length = 0;
    while (this.reader !== null && length < filling.byteLength) {
      const more = await this.readInto(this.reader, new Uint8Array(filling, length));
      filling = more.buffer;
      if (more.length === 0) break;
      length += more.length;
      this.taken += more.length;
      if (this.taken > uploadMaxBytes) throw new TooLong();
    }
    return new Uint8Array(filling, 0, length);
  }

  /** Nothing only at the end. Not `readAtLeast`: that takes a body which breaks off for one that ended, and drops what came of it. */
  private async readInto(
    reader: ReadableStreamBYOBReader,
    rest: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    try {
      const { value } = await reader.read(rest);
      if (value !== undefined) return value as Uint8Array<ArrayBuffer>;
    } catch (cause) {
      throw new BrokenOff("the body broke off", { cause });
    }
    throw new BrokenOff("the body was cancelled");
  }

  /** Lets others have what is left of it. */
  release(): void {
    this.reader?.releaseLock();
  }
}

/**
 * Sends a body of known length to the bucket as it comes, piece by piece, and gives its hash. Object storage takes a stream only if its
 * length is known, and nothing at all if other than that many bytes come.
 */
export async function sendKnown(bucket: R2Bucket, key: string, body: UploadBody, size: number): Promise<Sha256> {
  const hash = runningSha256();
  const pipe = new FixedLengthStream(size);
  const stored = bucket.put(key, pipe.readable);
  // A bucket that gives up need not say so to the stream, which then waits for ever.
  const failure = stored.then(() => new Promise<never>(() => {}));
  failure.catch(() => undefined);
  const writer = pipe.writable.getWriter();
  try {
    let buffer = new ArrayBuffer(uploadPieceBytes);
    while (body.taken < size) {
      const piece = await body.fill(buffer);
      if (piece.length === 0) throw new BrokenOff("the body ended too early");
      hash.update(piece);
      await Promise.race([writer.write(piece), failure]);
      buffer = piece.buffer as ArrayBuffer;
    }
    await Promise.all([writer.close(), stored]);
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
  return hash.hex() as Sha256;
}

/** Sends a body whose end is not known in parts; `first` is what was read of it. An upload that is not completed leaves no object. */
export async function sendUnknown(bucket: R2Bucket, key: string, body: UploadBody, first: Uint8Array): Promise<Sha256> {
  const hash = runningSha256();
  const upload = await bucket.createMultipartUpload(key);
  const parts: R2UploadedPart[] = [];
  try {
    for (let part = first; part.length > 0; part = await body.fill(part.buffer as ArrayBuffer)) {
      hash.update(part);
      parts.push(await upload.uploadPart(parts.length + 1, part));
      if (part.length < uploadPartBytes) break;
    }
    await upload.complete(parts);
  } catch (error) {
    await upload.abort().catch(() => undefined);
    throw error;
  }
  return hash.hex() as Sha256;
}

/** Reads an object back, in pieces, and says what it is. Null: there is none. */
export async function measureObject(bucket: R2Bucket, key: string): Promise<ContentFacts | null> {
  const object = await bucket.get(key);
  if (object === null) return null;
  const scan = new ContentScan(object.size);
  const reader = object.body.getReader({ mode: "byob" });
  for (let buffer = new ArrayBuffer(uploadPieceBytes); ; ) {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (value !== undefined) {
      scan.update(value);
      buffer = value.buffer as ArrayBuffer;
    }
    if (done) break;
  }
  const facts = scan.facts();
  if (facts === null) throw new Error(`${key} has other than ${object.size} bytes`);
  return facts;
}

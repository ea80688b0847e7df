import { ContentScan, scanContent } from "../../../domain/content-scan";
import { inlineBlobMaxBytes } from "../../../domain/limits";
import { concatBytes } from "../../../domain/zip/concat-bytes";
import type { FileSink } from "../../../domain/zip/extract-archive";
import type { BlobBucket } from "../../../storage/blob-bucket";
import type { RootState } from "../../root-state";
import type { InlineBlob } from "../../store/blobs";
import type { DepositId } from "../../store/deposits";
import type { FileFacts } from "../../store/tree";

/** Small contents are stored when they are as much as this together, or as many. */
const waitingMaxBytes = 4 * 1024 * 1024;
const waitingMax = 1000;

/**
 * Takes contents of known size that a later transaction will name. Small ones are stored with the tree, many at a time, so that ten thousand
 * of them cost neither an object nor a transaction each.
 */
export class ContentStore {
  private waiting: InlineBlob[] = [];
  private readonly deposits: DepositId[] = [];
  private waitingBytes = 0;

  constructor(
    private readonly root: RootState,
    private readonly bucket: BlobBucket,
  ) {}

  sink(size: number, onStored: (facts: FileFacts) => void): FileSink {
    return size <= inlineBlobMaxBytes ? this.inlineSink(onStored) : bucketSink(this.root, this.bucket, size, onStored);
  }

  /** Nothing may be named before this: until then the last of the small ones are only in memory. */
  flush(): void {
    const { root, waiting } = this;
    this.waiting = [];
    this.waitingBytes = 0;
    if (waiting.length > 0) this.deposits.push(root.transaction(() => root.blobs.depositAll(waiting, root.now())));
  }

  /** Inside the transaction that names what was stored. */
  settle(): void {
    this.root.blobs.settle(this.deposits);
  }

  /** Nothing of what was stored will be named. */
  giveUp(): void {
    const { root, deposits } = this;
    this.waiting = [];
    if (deposits.length > 0) root.transaction(() => root.blobs.giveUp(deposits, root.now()));
  }

  private inlineSink(onStored: (facts: FileFacts) => void): FileSink {
    const pieces: Uint8Array[] = [];
    return {
      write: (piece) => void pieces.push(piece),
      finish: async () => {
        const bytes = inOne(pieces);
        const facts = scanContent(bytes);
        this.waiting.push({ ...facts, bytes });
        this.waitingBytes += bytes.length;
        if (this.waitingBytes >= waitingMaxBytes || this.waiting.length >= waitingMax) this.flush();
        onStored(facts);
        return facts.blob;
      },
      abort: async () => undefined,
    };
  }
}

/** A piece that has its memory for itself needs no copy; a part of something larger would keep all of that. */
function inOne(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  const isWhole = only !== undefined && pieces.length === 1 && only.length === only.buffer.byteLength;
  return isWhole ? only : concatBytes(pieces);
}

function bucketSink(root: RootState, bucket: BlobBucket, size: number, onStored: (facts: FileFacts) => void): FileSink {
  const r2Key = root.blobs.announceObject(root.now());
  const scan = new ContentScan(size);
  const pipe = new FixedLengthStream(size);
  const writer = pipe.writable.getWriter();
  writer.closed.catch(() => undefined);
  const stored = bucket.putStream(r2Key, pipe.readable).then(
    () => null,
    (cause: unknown) => ({ cause }),
  );
  /** A bucket that gave up reads no more: nobody waits for a write that it will never take. */
  const unlessGivenUp = async (step: Promise<void>) => {
    step.catch(() => undefined);
    const failure = await Promise.race([step.then(() => null), stored]).catch(async (error: unknown) => {
      // Of two causes that of the bucket comes first: the other may only follow from it.
      return (await stored) ?? { cause: error };
    });
    if (failure !== null) throw failure.cause;
  };
  return {
    async write(piece) {
      scan.update(piece);
      await unlessGivenUp(writer.write(piece));
    },
    async finish() {
      await unlessGivenUp(writer.close());
      const failure = await stored;
      if (failure !== null) throw failure.cause;
      const facts = scan.facts();
      if (facts === null) throw new Error("a content has another size than it was stored with");
      const taken = root.transaction(() => root.blobs.deposit({ ...facts, bytes: null, r2Key }, root.now()));
      if (!taken) throw new Error("an object was written too late");
      onStored(facts);
      return facts.blob;
    },
    async abort() {
      await writer.abort("the content is not wanted").catch(() => undefined);
      await stored;
    },
  };
}

import { ContentScan, scanContent } from "../../../domain/content-scan";
import { inlineBlobMaxBytes } from "../../../domain/limits";
import { concatBytes } from "../../../domain/zip/concat-bytes";
import type { FileSink } from "../../../domain/zip/extract-archive";
import type { BlobBucket } from "../../../storage/blob-bucket";
import type { RootState } from "../../root-state";
import type { FileFacts } from "../../store/tree";

/** Takes one content of known size. Small ones are stored with the tree, so that ten thousand of them cost no object each. */
export function contentSink(
  root: RootState,
  bucket: BlobBucket,
  size: number,
  onStored: (facts: FileFacts) => void,
): FileSink {
  return size <= inlineBlobMaxBytes ? inlineSink(root, onStored) : bucketSink(root, bucket, size, onStored);
}

function inlineSink(root: RootState, onStored: (facts: FileFacts) => void): FileSink {
  const pieces: Uint8Array[] = [];
  return {
    write: (piece) => void pieces.push(piece),
    async finish() {
      const bytes = concatBytes(pieces);
      const facts = scanContent(bytes);
      root.transaction(() => root.blobs.deposit({ ...facts, bytes, r2Key: null }, root.now()));
      onStored(facts);
      return facts.blob;
    },
    abort: async () => undefined,
  };
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

import type { Sha256 } from "../../../domain/hash";
import { zipReadChunkBytes } from "../../../domain/limits";
import { quote } from "../../../domain/quote";
import { err, ok } from "../../../domain/result";
import { ArchiveReader } from "../../../domain/zip/archive-reader";
import type { ArchiveIndex } from "../../../domain/zip/entry-index";
import { type Layout, layoutArchive, type PackedData, storedAs } from "../../../domain/zip/layout-archive";
import { archiveBytes, measureContent } from "../../../domain/zip/pack-archive";
import { planSync, type SyncItem, type WorkspaceState } from "../../../domain/zip/plan-sync";
import { unusableName } from "../../../domain/zip/unusable-name";
import { limitExceeded, syncFailed, type ZipError } from "../../../domain/zip/zip-errors";
import type { BlobBucket } from "../../../storage/blob-bucket";
import type { RootState } from "../../root-state";
import type { FileFacts } from "../../store/tree";
import type { ZipSession } from "../../store/zip-sessions";
import { ContentStore } from "./content-sink";
import type { ZipOutcome } from "./find-session";
import { platformCodec } from "./platform-codec";

/** The lock was lost while the archive was built. */
export class LostLock extends Error {}

/** What the archive of this state would be; sizes of new data are those of `packed`. */
export async function planArchive(
  root: RootState,
  session: ZipSession,
  state: WorkspaceState,
  renew: () => boolean,
): Promise<ZipOutcome<Layout>> {
  const { former, items } = plan(root, session, state);
  const unusable = unusableName(items);
  if (unusable !== null) {
    const what = `${quote(unusable.path)} can be no entry of an archive (${unusable.why})`;
    return err(syncFailed(`${what}; write it under another name and remove it with file.remove`));
  }
  const packed = new Map<string, PackedData>();
  for (const item of items) {
    if (item.kind !== "replaced" && item.kind !== "new file") continue;
    if (!renew()) throw new LostLock();
    const isStored = item.kind === "replaced" && item.entry.record.method === 0;
    const { hash, size } = item.file;
    const key = keyOf(hash, isStored);
    if (packed.has(key)) continue;
    const content = root.blobs.readPieces(hash as Sha256, size, root.now());
    packed.set(key, await measureContent(content, size, isStored, platformCodec, root.zip.limits.ratio));
  }
  const layout = layoutArchive(former, items, state.directories, ({ hash }, method) => {
    const data = packed.get(keyOf(hash, method === 0));
    if (data === undefined) throw new Error(`${hash} was not measured`);
    return data;
  });
  const over = layoutObstacle(root, layout, items);
  return over === null ? ok(layout) : err(over);
}

/** The size without packing anything: exact for raw entries, an upper bound for new data. */
export function estimateSize(root: RootState, session: ZipSession, state: WorkspaceState): number {
  const { former, items } = plan(root, session, state);
  return layoutArchive(former, items, state.directories, ({ size }) => storedAs({ crc: 0, size })).size;
}

/** `store` settles it in the transaction that names it. */
export interface WrittenArchive {
  readonly facts: FileFacts;
  readonly store: Pick<ContentStore, "settle">;
}

/** Writes the archive to a fresh object that nothing names yet. */
export async function writeArchive(
  root: RootState,
  bucket: BlobBucket,
  session: ZipSession,
  layout: Layout,
  renew: () => boolean,
  onBytes: (done: number) => void | Promise<void>,
): Promise<WrittenArchive> {
  const sizes = new Map(layout.segments.flatMap((one) => (one.kind === "data" ? [[one.hash, one.packed.size]] : [])));
  const readBase = (offset: number, length: number) =>
    root.blobs.readRange(session.baseBlob, offset, length, root.now());
  const base = new ArchiveReader(readBase, session.baseSize, zipReadChunkBytes);
  const readContent = (hash: string) => root.blobs.readPieces(hash as Sha256, sizes.get(hash) ?? 0, root.now());
  const stored: FileFacts[] = [];
  const store = new ContentStore(root, bucket);
  const sink = store.sink(layout.size, (facts) => void stored.push(facts));
  let written = 0;
  try {
    for await (const piece of archiveBytes(layout.segments, base, readContent, platformCodec)) {
      if (!renew()) throw new LostLock();
      await sink.write(piece);
      written += piece.length;
      await onBytes(written);
    }
    if (written !== layout.size) throw new Error(`${written} bytes were written where ${layout.size} were planned`);
    await sink.finish();
    store.flush();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  const [facts] = stored;
  if (facts === undefined) throw new Error("the archive was not stored");
  return { facts, store };
}

function plan(
  root: RootState,
  session: ZipSession,
  state: WorkspaceState,
): { readonly former: ArchiveIndex; readonly items: readonly SyncItem[] } {
  const former = { ...root.zip.sessions.frameOf(session.id), entries: root.zip.entries.load(session.id) };
  return { former, items: planSync(former.entries, state) };
}

/** An archive that could not be opened again is not written. */
function layoutObstacle(root: RootState, layout: Layout, items: readonly SyncItem[]): ZipError | null {
  const { limits } = root.zip;
  const advice = "Remove files from the workspace, or split the archive; the source zip is untouched";
  const bytes = layout.index.entries.reduce((sum, { record }) => sum + record.size, 0);
  const largest = layout.index.entries.reduce((most, { record }) => Math.max(most, record.size), 0);
  const checks: readonly (readonly [string, number, number])[] = [
    ["size of the archive in bytes", layout.size, limits.zipBytes],
    ["entries of the archive", items.length, limits.entries],
    ["bytes of all its entries", bytes, limits.extractedBytes],
    ["bytes of one entry", largest, limits.fileBytes],
    ["bytes of its central directory", layout.directorySize, limits.directoryBytes],
  ];
  const broken = checks.find(([, value, limit]) => value > limit);
  return broken === undefined ? null : limitExceeded(...broken, advice);
}

function keyOf(hash: string, isStored: boolean): string {
  return `${hash} ${isStored ? "stored" : "deflated"}`;
}

// Opens, extracts and packs archives in memory with the product's own core, for tests of that core.
import { createHash } from "node:crypto";
import type { Result } from "../../src/domain/result";
import { ArchiveReader } from "../../src/domain/zip/archive-reader";
import type { ArchiveIndex } from "../../src/domain/zip/entry-index";
import { extractArchive } from "../../src/domain/zip/extract-archive";
import { layoutArchive, type PackedData } from "../../src/domain/zip/layout-archive";
import { type OpenedArchive, openArchive } from "../../src/domain/zip/open-archive";
import { archiveBytes, measureContent } from "../../src/domain/zip/pack-archive";
import { planSync, type WorkspaceState } from "../../src/domain/zip/plan-sync";
import type { ArchiveFlaw } from "../../src/domain/zip/zip-errors";
import { defaultZipLimits, type ZipLimits } from "../../src/domain/zip/zip-limits";
import { platformCodec } from "../../src/root/operations/zip/platform-codec";
import { concat } from "./zip-builder";

export interface InMemory {
  archive: OpenedArchive;
  index: ArchiveIndex;
  /** Files by path. */
  files: Map<string, Uint8Array>;
  times: Map<string, number | null>;
  /** Ranges that were read. */
  reads: { offset: number; length: number }[];
}

export async function openInMemory(
  bytes: Uint8Array,
  limits: Partial<ZipLimits> = {},
): Promise<Result<InMemory, ArchiveFlaw>> {
  const all = { ...defaultZipLimits, ...limits };
  const reads: InMemory["reads"] = [];
  const read = async (offset: number, length: number) => {
    if (offset < 0 || length < 0 || offset + length > bytes.length) throw new Error(`read of ${offset}+${length}`);
    reads.push({ offset, length });
    return bytes.slice(offset, offset + length);
  };
  const archive = await openArchive(read, bytes.length, all);
  if (!archive.ok) return archive;
  const files = new Map<string, Uint8Array>();
  const entries = await extractArchive(read, bytes.length, archive.value, all, platformCodec, (entry) => {
    const pieces: Uint8Array[] = [];
    return {
      write: (piece) => void pieces.push(piece.slice()),
      async finish() {
        const content = concat(pieces);
        files.set(entry.path, content);
        return sha256(content);
      },
      abort: async () => undefined,
    };
  });
  if (!entries.ok) return entries;
  const first = Math.min(
    ...archive.value.entries.map((entry) => entry.offset),
    archive.value.container.directoryOffset,
  );
  const { base, comment } = archive.value.container;
  const index = { entries: entries.value, prefixLength: first, base, comment };
  const times = new Map(entries.value.map((entry) => [entry.path, entry.timeMs]));
  return { ok: true, value: { archive: archive.value, index, files, times, reads } };
}

/** What `openInMemory` gives of an archive that must be right. */
export async function opened(bytes: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<InMemory> {
  const result = await openInMemory(bytes, limits);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export interface NewState {
  files: Map<string, Uint8Array>;
  directories: Iterable<string>;
  timeMs?: number;
}

/** The archive that a sync of this state would write. */
export async function packed(bytes: Uint8Array, former: ArchiveIndex, next: NewState): Promise<Uint8Array> {
  const timeMs = next.timeMs ?? Date.UTC(2026, 5, 1, 12, 30, 10);
  const contents = new Map([...next.files.values()].map((content) => [sha256(content), content]));
  const state: WorkspaceState = {
    files: new Map(
      [...next.files].map(([path, content]) => [path, { hash: sha256(content), size: content.length, timeMs }]),
    ),
    directories: new Map([...next.directories].map((path) => [path, timeMs])),
  };
  const readContent = async function* (hash: string) {
    const content = contents.get(hash);
    if (content === undefined) throw new Error(`no content ${hash}`);
    for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000);
  };
  const items = planSync(former.entries, state);
  const measured = new Map<string, PackedData>();
  for (const item of items) {
    if (item.kind !== "replaced" && item.kind !== "new file") continue;
    const isStored = item.kind === "replaced" && item.entry.record.method === 0;
    const { hash, size } = item.file;
    measured.set(`${hash} ${isStored}`, await measureContent(readContent(hash), size, isStored, platformCodec, 100));
  }
  const layout = layoutArchive(former, items, state.directories, ({ hash }, method) => {
    return measured.get(`${hash} ${method === 0}`) as PackedData;
  });
  const reader = new ArchiveReader(
    async (offset, length) => bytes.slice(offset, offset + length),
    bytes.length,
    1 << 22,
  );
  const pieces: Uint8Array[] = [];
  for await (const piece of archiveBytes(layout.segments, reader, readContent, platformCodec))
    pieces.push(piece.slice());
  const result = concat(pieces);
  if (result.length !== layout.size) throw new Error(`${result.length} bytes came where ${layout.size} were planned`);
  return result;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

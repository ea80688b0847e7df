// What is alive in memory while archives are opened, packed anew and verified: counted at every range that is read, after
// everything that nobody holds any more was collected. zipfs.md §3.7 allows 48 MiB, whatever the archive.
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { largeArchives } from "../../../test/harness/large-archives";
import { platformCodec } from "../../root/operations/zip/platform-codec";
import { zipReadChunkBytes } from "../limits";
import { ArchiveReader } from "./archive-reader";
import type { ReadRange } from "./end-record";
import { type ArchiveIndex, parentsOf } from "./entry-index";
import { extractArchive, type FileSink } from "./extract-archive";
import { type Layout, layoutArchive } from "./layout-archive";
import { openArchive } from "./open-archive";
import { archiveBytes, measureContent } from "./pack-archive";
import { planSync } from "./plan-sync";
import { verifyArchive } from "./verify-archive";
import { defaultZipLimits } from "./zip-limits";

const mib = 1024 * 1024;
const workingSetMax = 48 * mib;
/** Of the ranges that are read, one in so many is counted: a collection takes its time. */
const countEvery = 4;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-memory-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The most that was alive at once since it was made. */
class Watch {
  private readonly before = liveBytes();
  private reads = 0;
  most = 0;

  look(): void {
    if (this.reads++ % countEvery === 0) this.most = Math.max(this.most, liveBytes() - this.before);
  }
}

function liveBytes(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function readerOf(file: number, watch: Watch): ReadRange {
  return async (offset, length) => {
    const bytes = new Uint8Array(length);
    readSync(file, bytes, 0, length, offset);
    watch.look();
    return bytes;
  };
}

function hashingSink(): FileSink {
  const hash = createHash("sha256");
  return {
    write: (piece) => void hash.update(piece),
    finish: async () => hash.digest("hex"),
    abort: async () => undefined,
  };
}

function must<T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function open(read: ReadRange, size: number): Promise<ArchiveIndex> {
  const archive = must(await openArchive(read, size, defaultZipLimits));
  const entries = must(await extractArchive(read, size, archive, defaultZipLimits, platformCodec, hashingSink));
  const first = archive.entries.reduce(
    (least, { offset }) => Math.min(least, offset),
    archive.container.directoryOffset,
  );
  return { entries, prefixLength: first, base: archive.container.base, comment: archive.container.comment };
}

/** A function of its own, so that nothing of the archive is left where it could be counted. */
function writeTo(path: string, make: () => Uint8Array): number {
  const bytes = make();
  writeFileSync(path, bytes);
  return bytes.length;
}

const added = new TextEncoder().encode("one file more");

/** The archive with one file more, at the end of the other file. */
async function pack(former: ArchiveIndex, read: ReadRange, size: number, file: number): Promise<Layout> {
  const sink = hashingSink();
  await sink.write(added);
  const hash = await sink.finish();
  const files = former.entries.map(
    (entry) => [entry.path, { hash: entry.hash ?? "", size: entry.record.size, timeMs: 0 }] as const,
  );
  const more = { hash, size: added.length, timeMs: 0 };
  const directories = new Map(
    former.entries.flatMap(({ path }) => parentsOf(path).map((parent) => [parent, 0] as const)),
  );
  const items = planSync(former.entries, { files: new Map([...files, ["more", more]]), directories });
  const content = async function* () {
    yield added;
  };
  const packed = await measureContent(content(), added.length, false, platformCodec, 100);
  const layout = layoutArchive(former, items, directories, () => packed);
  const base = new ArchiveReader(read, size, zipReadChunkBytes);
  let position = 0;
  for await (const piece of archiveBytes(layout.segments, base, content, platformCodec)) {
    position += writeSync(file, piece, 0, piece.length, position);
  }
  expect(position).toBe(layout.size);
  return layout;
}

describe("the working set of an archive", () => {
  it.each(largeArchives)(
    "%s stays within 48 MiB through open, sync and verification",
    { timeout: 300_000 },
    async (_, make) => {
      const path = join(folder, "a.zip");
      const size = writeTo(path, make);
      const [file, next] = [openSync(path, "r"), openSync(join(folder, "b.zip"), "w+")];
      try {
        // What was freed is given back a little later.
        await new Promise((resolve) => setTimeout(resolve, 100));
        const watch = new Watch();
        const index = await open(readerOf(file, watch), size);
        const layout = await pack(index, readerOf(file, watch), size, next);
        const written = { read: readerOf(next, watch), former: readerOf(file, watch), formerSize: size };
        must(await verifyArchive(written, layout, defaultZipLimits, platformCodec, hashingSink));
        expect(watch.most).toBeGreaterThan(0);
        expect(watch.most, `${(watch.most / mib).toFixed(1)} MiB`).toBeLessThan(workingSetMax);
      } finally {
        closeSync(file);
        closeSync(next);
      }
    },
  );
});

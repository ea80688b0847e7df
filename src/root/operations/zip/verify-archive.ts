import { runningSha256, type Sha256 } from "../../../domain/hash";
import { indexedFiles } from "../../../domain/zip/entry-index";
import { extractArchive } from "../../../domain/zip/extract-archive";
import type { Layout } from "../../../domain/zip/layout-archive";
import { openArchive } from "../../../domain/zip/open-archive";
import { flawReason } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import { LostLock } from "./build-archive";
import { platformCodec } from "./platform-codec";

/** Opens what was written like any archive of a stranger; gives what is wrong with it, null if it holds exactly what it should. */
export async function verifyArchive(
  root: RootState,
  blob: Sha256,
  layout: Layout,
  renew: () => boolean,
): Promise<string | null> {
  const { limits } = root.zip;
  const read = (offset: number, length: number) => root.blobs.readRange(blob, offset, length, root.now());
  const archive = await openArchive(read, layout.size, limits);
  if (!archive.ok) return flawReason(archive.error);
  const entries = await extractArchive(read, layout.size, archive.value, limits, platformCodec, () => {
    if (!renew()) throw new LostLock();
    const hash = runningSha256();
    return {
      write: (piece) => hash.update(piece),
      finish: async () => hash.hex(),
      abort: async () => undefined,
    };
  });
  if (!entries.ok) return flawReason(entries.error);
  const [expected, found] = [indexedFiles(layout.index.entries), indexedFiles(entries.value)];
  const isSame = expected.size === found.size && [...expected].every(([path, hash]) => found.get(path) === hash);
  return isSame ? null : "the new archive does not hold the files of the workspace";
}

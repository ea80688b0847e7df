import { runningSha256, type Sha256 } from "../../../domain/hash";
import type { Layout } from "../../../domain/zip/layout-archive";
import { verifyArchive } from "../../../domain/zip/verify-archive";
import { flawReason } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import type { ZipSession } from "../../store/zip-sessions";
import { LostLock } from "./build-archive";
import { platformCodec } from "./platform-codec";

/** What is wrong with an archive that a sync has written; null if it holds exactly what it should. */
export async function findFlaw(
  root: RootState,
  session: ZipSession,
  blob: Sha256,
  layout: Layout,
  renew: () => boolean,
): Promise<string | null> {
  const readerOf = (hash: Sha256) => (offset: number, length: number) => {
    if (!renew()) throw new LostLock();
    return root.blobs.readRange(hash, offset, length, root.now());
  };
  const written = { read: readerOf(blob), former: readerOf(session.baseBlob), formerSize: session.baseSize };
  const verdict = await verifyArchive(written, layout, root.zip.limits, platformCodec, () => {
    const hash = runningSha256();
    return { write: (piece) => hash.update(piece), finish: async () => hash.hex(), abort: async () => undefined };
  });
  return verdict.ok ? null : flawReason(verdict.error);
}

import { countByteLines } from "../../../domain/byte-lines";
import type { PlannedDocument } from "../../../domain/context/build-plan";
import type { BuildRequest } from "../../../domain/context/build-request";
import { documentText, indexFile, indexText, manifestFile, manifestText } from "../../../domain/context/cache-format";
import { type ContextError, tooLarge } from "../../../domain/context/errors";
import { gitBlobId } from "../../../domain/git-objects";
import { sha256Hex } from "../../../domain/hash";
import { contextDocumentFileMaxBytes } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import type { ViewFile } from "../../view/tree-view";
import { storedLater, storedPieces } from "./storage-fault";

/** Told now and then how many documents are done. */
export type Progress = (done: number, total: number) => void | Promise<void>;

/** The files of the new cache. */
export interface CacheFiles {
  readonly files: readonly ViewFile[];
  /** Of manifest and index. */
  readonly ownBytes: number;
}

/**
 * Makes the contents of the new cache and stores them, one by one, before anything names them: all at once would not fit into memory.
 * Nothing is stored for a dry run.
 */
export async function writeDocuments(
  root: RootState,
  request: BuildRequest,
  documents: readonly PlannedDocument[],
  progress: Progress | null,
): Promise<Result<CacheFiles, ContextError>> {
  const { target, dryRun } = request;
  const files: ViewFile[] = [];
  const write = async (file: string, bytes: Uint8Array): Promise<void> => {
    const facts = dryRun ? factsOf(bytes) : await deposit(root, bytes);
    files.push({ path: `${target}/${file}` as RootPath, ...facts });
  };
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const tell = sparsely(progress, documents.length);
  for await (const content of storedPieces(root.blobs.readAll(documents, root.now()))) {
    const document = documents[files.length] as PlannedDocument;
    const bytes = encoder.encode(documentText({ ...document, content: decoder.decode(content) }));
    if (bytes.length > contextDocumentFileMaxBytes) return err(fileTooLarge(document, bytes.length));
    await write(document.file, bytes);
    await tell(files.length);
  }
  const manifest = encoder.encode(manifestText(documents, root.now()));
  const index = encoder.encode(indexText(documents));
  await write(manifestFile, manifest);
  await write(indexFile, index);
  return ok({ files, ownBytes: manifest.length + index.length });
}

function factsOf(bytes: Uint8Array) {
  return { blob: sha256Hex(bytes), gitOid: gitBlobId(bytes), size: bytes.length, lines: countByteLines(bytes) };
}

async function deposit(root: RootState, bytes: Uint8Array) {
  return storedLater(async () => {
    const staged = await root.blobs.stage(bytes, countByteLines(bytes), root.now());
    const { blob, gitOid, size, lines } = staged;
    if (!root.transaction(() => root.blobs.deposit(staged, root.now()))) {
      throw new Error(`the object of blob ${blob} was given up before it was taken`);
    }
    return { blob, gitOid, size, lines };
  });
}

const stepsMax = 20;
/** Fewer are built at once. */
const stepDocumentsMin = 100;

/** A few steps of many documents. A listener that is gone stops nothing. */
function sparsely(progress: Progress | null, total: number): (done: number) => Promise<void> {
  const step = Math.max(stepDocumentsMin, Math.ceil(total / stepsMax));
  return async (done) => {
    if (progress === null || total < step || (done % step !== 0 && done < total)) return;
    // Waited for: it would not leave before the answer otherwise, and meanwhile others get their turn.
    await Promise.resolve(progress(done, total)).catch(() => {});
  };
}

function fileTooLarge({ path }: PlannedDocument, size: number): ContextError {
  const message = `${path} would have ${size} bytes as a document of a cache; the limit is ${contextDocumentFileMaxBytes}. Leave it out by exclude, or split it.`;
  return tooLarge(message, contextDocumentFileMaxBytes, size, path);
}

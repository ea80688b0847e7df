import type { Sha256 } from "../../../domain/hash";
import { parentOf, type RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { type ExtractedEntry, extractArchive } from "../../../domain/zip/extract-archive";
import { type OpenedArchive, openArchive } from "../../../domain/zip/open-archive";
import { badSessionName, isSessionName } from "../../../domain/zip/sessions";
import type { Warning } from "../../../domain/zip/warnings";
import { contentsPath, inWorkspace, workspaceHolding, workspacesDirectory } from "../../../domain/zip/workspace-path";
import {
  flawError,
  limitExceeded,
  nameCollision,
  type ZipError,
  zipInvalid,
  zipNotFound,
} from "../../../domain/zip/zip-errors";
import type { BlobBucket } from "../../../storage/blob-bucket";
import type { RootState } from "../../root-state";
import type { FileFacts, FileNode } from "../../store/tree";
import type { ZipSession } from "../../store/zip-sessions";
import { brokenQuota } from "../quota";
import { ContentStore } from "./content-sink";
import type { ZipOutcome } from "./find-session";
import { platformCodec } from "./platform-codec";
import { type Progress, sparse } from "./progress";

export interface OpenRequest {
  readonly path: RootPath;
  readonly name: string | null;
}

export interface OpenedSession {
  readonly session: ZipSession;
  readonly warnings: readonly Warning[];
}

/** zipfs.md §3. The order of checks is that of §3.1; nothing of a refused archive stays. */
export async function openSession(
  root: RootState,
  bucket: BlobBucket,
  request: OpenRequest,
  progress: Progress | null,
): Promise<ZipOutcome<OpenedSession>> {
  const source = findSource(root, request);
  if (!source.ok) return source;
  const { blob, size } = source.value;
  const { limits } = root.zip;
  const read = (offset: number, length: number) => root.blobs.readRange(blob, offset, length, root.now());
  const archive = await openArchive(read, size, limits);
  if (!archive.ok) return err(flawError(archive.error, request.path));
  const over = storageObstacle(root, archive.value);
  if (over !== null) return err(over);
  const contents = new Map<string, FileFacts>();
  const store = new ContentStore(root, bucket);
  const extracted = await extractArchive(
    read,
    size,
    archive.value,
    limits,
    platformCodec,
    (entry) => store.sink(entry.record.size, (facts) => void contents.set(entry.path, facts)),
    sparse(progress),
  );
  if (!extracted.ok) {
    store.giveUp();
    return err(flawError(extracted.error, request.path));
  }
  store.flush();
  const opened = commit(root, request, source.value, archive.value, extracted.value, contents, store);
  if (!opened.ok) store.giveUp();
  return opened;
}

function findSource(root: RootState, request: OpenRequest): ZipOutcome<FileNode> {
  root.zip.locks.repair(root.now());
  const source = root.tree.find(request.path);
  if (source === null) return err(zipNotFound(request.path));
  if (source.kind === "directory") return err(zipInvalid(request.path, "it is a directory"));
  if (request.name !== null && !isSessionName(request.name)) return err(badSessionName(request.name));
  const refused = sessionObstacle(root, request);
  if (refused !== null) return err(refused);
  const { zipBytes } = root.zip.limits;
  if (source.size > zipBytes) {
    return err(limitExceeded("size of the archive in bytes", source.size, zipBytes, "Split it into smaller archives"));
  }
  return ok(source);
}

/** Steps 4 and 5: what other sessions stand in the way. */
function sessionObstacle(root: RootState, { name, path }: OpenRequest): ZipError | null {
  const sessions = root.zip.sessions.all();
  const same = name === null ? undefined : sessions.find((session) => session.name === name);
  if (same !== undefined) return nameCollision(same.name, same.id, same.sourcePath);
  const { limits } = root.zip;
  if (sessions.length >= limits.sessions) {
    const message = `Limit exceeded: max sessions (${limits.sessions}) reached. Close one with zipfs_close, or remove idle ones with zipfs_prune.`;
    return { code: "LIMIT_EXCEEDED", message, details: { value: sessions.length, limit: limits.sessions } };
  }
  const nesting = nestingOf(root, path);
  if (nesting <= limits.nesting) return null;
  return limitExceeded("nesting of archives", nesting, limits.nesting, "Copy the archive out of the workspace first");
}

/** How many archives are around this one. */
function nestingOf(root: RootState, path: RootPath): number {
  const directory = workspaceHolding(path);
  const outer = directory === null ? null : root.zip.sessions.ofDirectory(directory);
  return outer === null ? 0 : outer.nesting + 1;
}

/** Step 9: does it fit into the account, and into what all workspaces may hold? */
function storageObstacle(root: RootState, { fileCount, fileBytes, directories }: OpenedArchive): ZipError | null {
  const advice = "Remove files that you no longer need, or close other sessions";
  const growth = { files: fileCount, directories: directories.size + 4, bytes: fileBytes };
  const broken = brokenQuota(root.tree, growth);
  if (broken !== null) {
    return limitExceeded(`${broken.what} of your root`, broken.used + broken.needed, broken.max, advice);
  }
  const total = root.tree.usageBelow(workspacesDirectory).bytes + fileBytes;
  const { totalBytes } = root.zip.limits;
  return total > totalBytes ? limitExceeded("bytes of all workspaces", total, totalBytes, advice) : null;
}

/** Step 11: one transaction, which checks again what may have changed during the extraction. */
function commit(
  root: RootState,
  request: OpenRequest,
  source: FileNode,
  archive: OpenedArchive,
  entries: readonly ExtractedEntry[],
  contents: ReadonlyMap<string, FileFacts>,
  store: ContentStore,
): ZipOutcome<OpenedSession> {
  const done = root.transaction((): ZipOutcome<ZipSession> => {
    const refused = sessionObstacle(root, request) ?? storageObstacle(root, archive);
    if (refused !== null) return err(refused);
    const nowMs = root.now();
    const session: ZipSession = {
      id: crypto.randomUUID(),
      name: request.name ?? "",
      sourcePath: request.path,
      createdAtMs: nowMs,
      accessedAtMs: nowMs,
      syncedAtMs: null,
      state: "open",
      zipHash: source.blob,
      baseBlob: source.blob,
      baseSize: source.size,
      extractedBytes: archive.fileBytes,
      fileCount: archive.fileCount,
      nesting: nestingOf(root, request.path),
      baselineKept: false,
    };
    if (root.blobs.factsOf(source.blob) === null) throw new Error(`the archive ${source.blob} is gone`);
    root.blobs.retain([source.blob, ...[...contents.values()].map((facts) => facts.blob)]);
    store.settle();
    const { container } = archive;
    const first = archive.entries.reduce((least, { offset }) => Math.min(least, offset), container.directoryOffset);
    root.zip.sessions.insert(session, { prefixLength: first, base: container.base, comment: container.comment });
    root.zip.entries.insert(session.id, entries);
    addNodes(root, contentsPath(session), archive, entries, contents, nowMs);
    return ok(session);
  });
  if (!done.ok) return done;
  const workspace = contentsPath(done.value);
  const directories = [...archive.directories].map((path) => inWorkspace(workspace, path));
  root.changed({ directories: [parentOf(parentOf(workspace)), workspace, ...directories], entriesChanged: true });
  return ok({ session: done.value, warnings: archive.warnings });
}

function addNodes(
  root: RootState,
  workspace: RootPath,
  archive: OpenedArchive,
  entries: readonly ExtractedEntry[],
  contents: ReadonlyMap<string, FileFacts>,
  nowMs: number,
): void {
  const times = new Map(entries.map((entry) => [`${entry.kind} ${entry.path}`, entry.timeMs]));
  root.tree.addDirectory(workspace, nowMs);
  const directories = [...archive.directories].map((path) => ({
    path: inWorkspace(workspace, path),
    mtimeMs: times.get(`directory ${path}`) ?? nowMs,
  }));
  const files = [...contents].map(([path, facts]) => ({
    ...facts,
    path: inWorkspace(workspace, path),
    mtimeMs: times.get(`file ${path}`) ?? nowMs,
  }));
  root.tree.addAll(directories, files);
  // What was at these paths in the life of an earlier session of that name says nothing of this one.
  const forgotten: Sha256[] = root.versions.forgetBelow(parentOf(workspace));
  root.blobs.condemnUnnamed(forgotten, nowMs);
}

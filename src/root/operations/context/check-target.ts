import type { BuildRequest } from "../../../domain/context/build-request";
import { manifestFile } from "../../../domain/context/cache-format";
import { readableFields, readManifest } from "../../../domain/context/cache-manifest";
import type { ContextError } from "../../../domain/context/errors";
import { cacheRoot } from "../../../domain/context/identifier";
import { type Sha256, sha256HexOfChunks } from "../../../domain/hash";
import { contextManifestMaxBytes } from "../../../domain/limits";
import { parentOf, type RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import type { RootState } from "../../root-state";
import { stored } from "./storage-fault";
import { readCacheFile, withinCache } from "./take-cache";
import { takeWhole, verifyTaken, type WholeCache } from "./verify-cache";

/** What stands at the target, so that a change before the swap is noticed. Null: nothing. */
export type TargetState = Sha256 | null;

export type Target =
  | { readonly kind: "unchanged"; readonly filesBytes: number }
  | { readonly kind: "writable"; readonly state: TargetState };

/** May a cache of this version be written there? Last of all checks, because only the version tells whether anything is to be done. */
export async function checkTarget(
  root: RootState,
  request: BuildRequest,
  cacheVersion: string,
): Promise<Result<Target, ContextError>> {
  const file = stored(() => fileInTheWay(root, request));
  if (file !== null) return err(file);
  const taken = takeWhole(root, request.target);
  if (!taken.ok) return taken.error.code === "cache_missing" ? ok({ kind: "writable", state: null }) : taken;
  const present = taken.value;
  const state = stateOf(present);
  const manifest = present.files.find(({ path }) => withinCache(present.path, path) === manifestFile);
  const read = readManifest(await readCacheFile(root, manifest, contextManifestMaxBytes));
  const presentVersion = readableFields(read).cacheVersion ?? "";
  if (presentVersion === cacheVersion && (await verifyTaken(root, present)).valid) {
    return ok({ kind: "unchanged", filesBytes: ownBytes(present) });
  }
  return request.force ? ok({ kind: "writable", state }) : err(cacheExists(request, presentVersion));
}

/** Inside the transaction that swaps: what stands at the target now. */
export function targetState(root: RootState, target: RootPath): TargetState {
  const taken = takeWhole(root, target);
  return taken.ok ? stateOf(taken.value) : null;
}

function stateOf({ files, directories }: WholeCache): Sha256 {
  const lines = [...files.map(({ path, blob }) => `${path}\n${blob}\n`), ...directories.map((path) => `${path}\n`)];
  return sha256HexOfChunks(lines);
}

function ownBytes({ path, files }: WholeCache): number {
  return files.reduce((sum, file) => sum + (parentOf(file.path) === path ? file.size : 0), 0);
}

function fileInTheWay(root: RootState, { cache, target }: BuildRequest): ContextError | null {
  const path = [cacheRoot, target].find((one) => root.tree.find(one)?.kind === "file");
  if (path === undefined) return null;
  const message = `${path} is a file, where a directory must be. Remove it, or ${path === target ? "choose another name" : "move it elsewhere"}.`;
  return { code: "io_error", details: { reason: "cache_exists", message, cache, cache_version: "" } };
}

function cacheExists({ cache }: BuildRequest, version: string): ContextError {
  const there = version === "" ? "something that is no valid cache" : `the cache ${version}`;
  const message = `${cacheRoot}/${cache} holds ${there} already, of other content. Pass force: true to replace everything in it, or choose another name.`;
  return { code: "io_error", details: { reason: "cache_exists", message, cache, cache_version: version } };
}

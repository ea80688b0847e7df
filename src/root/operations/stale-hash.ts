import { utf8Length } from "../../domain/byte-order";
import { diffFile } from "../../domain/diff";
import { type GitOid, gitBlobId } from "../../domain/git-objects";
import type { Sha256 } from "../../domain/hash";
import { hashDiffMaxBytes, hashDiffSideMaxBytes } from "../../domain/limits";
import type { RootPath } from "../../domain/path";
import { hashMismatch, type SeenChange, type TextError } from "../../domain/text-errors";
import type { RootState } from "../root-state";
import type { FileNode } from "../store/tree";

/** A file whose newest edit waits has no git id yet. */
type CurrentFile = Pick<FileNode, "path" | "blob" | "size" | "lines"> & Partial<Pick<FileNode, "gitOid">>;

/** MCP-034: the cited version is not the current one. Who gets the new hash has seen the change (text.md §6.3). */
export async function staleHash(root: RootState, current: CurrentFile, cited: Sha256): Promise<TextError> {
  const change = await seenChange(root, current, cited);
  return hashMismatch(current.path, cited, current.lines === null ? "binary" : "text", change ?? undefined);
}

async function seenChange(root: RootState, current: CurrentFile, cited: Sha256): Promise<SeenChange | null> {
  const { path, blob, lines, size } = current;
  if (lines === null || size > hashDiffSideMaxBytes) return null;
  const former = await readFormerText(root, path, cited, hashDiffSideMaxBytes);
  if (former === null) return null;
  const text = await root.blobs.readText(blob, root.now());
  const after = { oid: current.gitOid ?? gitIdOf(text), text };
  const diff = diffFile(path, former, after, hashDiffMaxBytes);
  return diff === null ? null : { currentHash: blob, totalLines: lines, diff: diff.text };
}

/** A known former version of this path, if it is text; null for anything else, also for content that only other paths had. */
export async function readFormerText(
  root: RootState,
  path: RootPath,
  cited: Sha256,
  maxBytes: number,
): Promise<{ readonly oid: GitOid; readonly text: string } | null> {
  // While edits wait, the version that gave way last is mostly among them: the tables need not be asked for it.
  const remembered = root.journal.knows(path, cited) ? root.blobs.rememberedText(cited, root.now()) : undefined;
  if (remembered !== undefined) {
    return utf8Length(remembered) > maxBytes ? null : { oid: gitIdOf(remembered), text: remembered };
  }
  if (!root.versions.knows(path, cited, root.now())) return null;
  const facts = root.blobs.factsOf(cited);
  if (facts === null || facts.lines === null || facts.size > maxBytes) return null;
  return { oid: facts.gitOid, text: await root.blobs.readText(cited, root.now()) };
}

function gitIdOf(text: string): GitOid {
  return gitBlobId(new TextEncoder().encode(text));
}

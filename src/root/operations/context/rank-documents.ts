import type { Question } from "../../../domain/context/answer-text";
import type { ContextError } from "../../../domain/context/errors";
import { indexRules } from "../../../domain/context/index-facts";
import { compareScored, fillBudget, type Selection, scored } from "../../../domain/context/selection";
import type { IndexedDocument } from "../../../domain/context/word-index";
import { type Sha256, sha256HexOfChunks } from "../../../domain/hash";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import { logFault } from "../../log-fault";
import type { RootState } from "../../root-state";
import { type JudgedDocuments, judgeDocuments } from "./judge-documents";
import { stored } from "./storage-fault";
import { type TakenCache, takeCache, withinCache } from "./take-cache";

/** What resolve and plan have in common: the documents in order, and which of them the budget takes (context.md §5.3). */
export async function rankDocuments(
  root: RootState,
  path: RootPath,
  { terms, budget }: Question,
): Promise<Result<Selection<IndexedDocument>, ContextError>> {
  const taken = takeCache(root, path);
  if (!taken.ok) return taken;
  const counted = await countTerms(root, taken.value, new Set(terms));
  if (!counted.ok) return counted;
  const { documents, matches } = counted.value;
  const all = documents.map((document, index) => scored(document, matches[index] ?? 0));
  return ok(fillBudget(all.sort(compareScored), budget));
}

/** By the index if there is one of exactly these contents, otherwise by reading them, which makes one. */
async function countTerms(
  root: RootState,
  cache: TakenCache,
  terms: ReadonlySet<string>,
): Promise<Result<{ documents: readonly IndexedDocument[]; matches: ArrayLike<number> }, ContextError>> {
  const key = indexKey(cache);
  const index = stored(() => root.contextIndexes.find(cache.path, key, root.now()));
  const matches = index === null ? null : stored(() => root.contextIndexes.matches(index, terms));
  if (index !== null && matches !== null) return ok({ documents: index.documents, matches });
  const judged = await judgeDocuments(root, cache, terms);
  if (!judged.ok) return err(judged.error);
  keepIndex(root, cache.path, key, judged.value);
  return judged;
}

/** Stands for the manifest and every document: any other content, name or file in the cache is another key. */
function indexKey({ path, files }: TakenCache): Sha256 {
  const lines = files.map((file) => `${withinCache(path, file.path)}\n${file.blob}\n`);
  return sha256HexOfChunks([`${indexRules()}\n`, lines.join("")]);
}

/** Whether it can be kept is no matter to the caller. */
function keepIndex(root: RootState, path: RootPath, key: Sha256, { documents, segments }: JudgedDocuments): void {
  if (segments === null) return;
  try {
    root.transaction(() => root.contextIndexes.keep(path, key, documents, segments, root.now()));
  } catch (error) {
    logFault("keep context index", error);
  }
}

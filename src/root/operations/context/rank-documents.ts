import type { Question } from "../../../domain/context/answer-text";
import type { ContextError } from "../../../domain/context/errors";
import { compareScored, fillBudget, type Selection, scored } from "../../../domain/context/selection";
import type { IndexedDocument } from "../../../domain/context/word-index";
import type { Sha256 } from "../../../domain/hash";
import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import { logFault } from "../../log-fault";
import type { RootState } from "../../root-state";
import { type JudgedDocuments, judgeDocuments } from "./judge-documents";
import { stored } from "./storage-fault";
import { absentCache, takeCache } from "./take-cache";

/** What resolve and plan have in common: the documents in order, and which of them the budget takes (context.md §5.3). */
export async function rankDocuments(
  root: RootState,
  path: RootPath,
  { terms, budget }: Question,
): Promise<Result<Selection<IndexedDocument>, ContextError>> {
  const counted = await countTerms(root, path, new Set(terms));
  if (!counted.ok) return counted;
  const { documents, matches } = counted.value;
  const all = documents.map((document, index) => scored(document, matches[index] ?? 0));
  return ok(fillBudget(all.sort(compareScored), budget));
}

interface Counted {
  readonly documents: readonly IndexedDocument[];
  /** Of each document: words that equal some term. */
  readonly matches: ArrayLike<number>;
}

/** By the index if there is one of exactly these contents, otherwise by reading them, which makes one. */
async function countTerms(
  root: RootState,
  path: RootPath,
  terms: ReadonlySet<string>,
): Promise<Result<Counted, ContextError>> {
  // No await until the files are taken: the key, the index and the files are of one moment.
  const missing = stored(() => absentCache(root, path));
  if (missing !== null) return err(missing);
  const key = stored(() => root.contextIndexes.keyOf(path));
  const counted = stored(() => countByIndex(root, path, key, terms));
  if (counted !== null) return ok(counted);
  const taken = takeCache(root, path);
  const judged = taken.ok ? await judgeDocuments(root, taken.value, terms) : taken;
  if (judged.ok) keepIndex(root, path, key, judged.value);
  return judged;
}

function countByIndex(root: RootState, path: RootPath, key: Sha256, terms: ReadonlySet<string>): Counted | null {
  const index = root.contextIndexes.find(path, key, root.now());
  const matches = index === null ? null : root.contextIndexes.matches(index, terms);
  return index === null || matches === null ? null : { documents: index.documents, matches };
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

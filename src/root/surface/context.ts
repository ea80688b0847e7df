import type { Caller } from "../../domain/caller";
import type { Question } from "../../domain/context/answer-text";
import type { BuildRequest } from "../../domain/context/build-request";
import type { ContextError } from "../../domain/context/errors";
import type { Inspection } from "../../domain/context/inspect";
import type { Verification } from "../../domain/context/verify";
import type { RootPath } from "../../domain/path";
import type { Result } from "../../domain/result";
import type { Reply } from "../contract";
import { type BuiltCache, buildCache } from "../operations/context/build-cache";
import { inspectCache } from "../operations/context/inspect-cache";
import { type ListedCache, listCaches } from "../operations/context/list-caches";
import { planCache, resolveCache } from "../operations/context/resolve-cache";
import { verifyCache } from "../operations/context/verify-cache";
import type { Progress } from "../operations/context/write-documents";
import { WithFiles } from "./files";

type Answer<T> = Promise<Reply<Result<T, ContextError>>>;

/** The context family. Resolve and plan answer with the exact text. */
export class WithContext extends WithFiles {
  resolveCache(caller: Caller, cache: RootPath, question: Question): Answer<string> {
    return this.admittedAsync(caller, () => resolveCache(this.root, cache, question));
  }

  planCache(caller: Caller, cache: RootPath, question: Question): Answer<string> {
    return this.admittedAsync(caller, () => planCache(this.root, cache, question));
  }

  listCaches(caller: Caller): Answer<ListedCache[]> {
    return this.admittedAsync(caller, () => listCaches(this.root));
  }

  inspectCache(caller: Caller, cache: RootPath): Answer<Inspection> {
    return this.admittedAsync(caller, () => inspectCache(this.root, cache));
  }

  verifyCache(caller: Caller, cache: RootPath): Answer<Verification> {
    return this.admittedAsync(caller, () => verifyCache(this.root, cache));
  }

  buildCache(caller: Caller, request: BuildRequest, progress: Progress | null): Answer<BuiltCache> {
    return this.admittedAsync(caller, () => buildCache(this.root, request, progress));
  }
}

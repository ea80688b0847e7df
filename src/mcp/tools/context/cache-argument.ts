import { cacheRoot, parseCacheIdentifier } from "../../../domain/context/identifier";
import type { RootPath } from "../../../domain/path";
import type { ScopeNeed } from "../../../domain/scopes";
import type { RawArguments } from "./define-context-tool";

/** The cache that a call reads, and what that needs: all of it; of an identifier that names nothing, all caches (context.md §1). */
export function readCache({ cache }: RawArguments): {
  readonly path: RootPath | null;
  readonly needs: readonly ScopeNeed[];
} {
  const path = parseCacheIdentifier(cache);
  return { path, needs: [{ verb: "read", path: path ?? cacheRoot, whole: true }] };
}

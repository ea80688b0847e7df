import type { RootPath } from "../../../domain/path";
import { covers, type Scope, type ScopeVerb } from "../../../domain/scopes";
import type { Forbidden } from "../../../domain/snapshot-errors";

/**
 * The second check of scopes, after the lookup and before the reply (snapshot.md §3.4): every file concerned must be covered.
 * The refusal names the argument, never what was found.
 */
export function beyondScope(
  scopes: readonly Scope[],
  verb: ScopeVerb,
  argument: RootPath,
  files: Iterable<{ readonly path: RootPath }>,
): Forbidden | null {
  const need = { verb, path: argument, whole: true };
  if (covers(scopes, need)) return null;
  for (const { path } of files) if (!covers(scopes, { verb, path })) return { code: "FORBIDDEN", need };
  return null;
}

import type { RootPath } from "../../../domain/path";
import { err, ok, type Result } from "../../../domain/result";
import { covers, type Scope, type ScopeNeed, type ScopeVerb } from "../../../domain/scopes";
import { resolveSession } from "../../../domain/zip/sessions";
import { contentsPath, workspacesDirectory } from "../../../domain/zip/workspace-path";
import type { ZipFailure } from "../../../domain/zip/zip-errors";
import type { RootState } from "../../root-state";
import type { ZipSession } from "../../store/zip-sessions";

/** Which session a call is about, and what its token may reach. */
export interface SessionRequest {
  /** Null: the only one there is. */
  readonly session: string | null;
  readonly scopes: readonly Scope[];
}

export type ZipOutcome<T> = Result<T, ZipFailure>;

/**
 * The session that is meant, if the token reaches what the call needs of it (zipfs.md §2.3). A token that does not reach it is told the
 * same whether there is such a session or not.
 */
export function findSession(
  root: RootState,
  request: SessionRequest,
  verb: ScopeVerb,
  needsOf: (contents: RootPath) => readonly ScopeNeed[],
): ZipOutcome<ZipSession> {
  root.zip.locks.repair(root.now());
  const hidden = err({ code: "FORBIDDEN", need: { verb, path: workspacesDirectory, whole: true } } as const);
  const found = resolveSession(root.zip.sessions.all(), request.session);
  if (!found.ok) {
    const maySee = covers(request.scopes, { verb: "read", path: workspacesDirectory, whole: true });
    return maySee ? found : hidden;
  }
  const reaches = needsOf(contentsPath(found.value)).every((need) => covers(request.scopes, need));
  return reaches ? ok(found.value) : hidden;
}

/** A read of the workspace at one path of it. */
export function findForPath(
  root: RootState,
  request: SessionRequest & { readonly path: string },
  verb: ScopeVerb,
  reach: { readonly listing?: boolean; readonly whole?: boolean } = {},
): ZipOutcome<{ readonly session: ZipSession; readonly contents: RootPath; readonly at: RootPath }> {
  const session = findSession(root, request, verb, (contents) => [
    { verb, path: below(contents, request.path), ...reach },
  ]);
  if (!session.ok) return session;
  const contents = contentsPath(session.value);
  return ok({ session: session.value, contents, at: below(contents, request.path) });
}

/** A successful look or edit (zipfs.md §2.4). */
export function touch(root: RootState, session: ZipSession): void {
  root.zip.sessions.touch(session.id, root.now());
}

function below(contents: RootPath, path: string): RootPath {
  return (path === "" ? contents : `${contents}/${path}`) as RootPath;
}

import { isAtOrBelow, type RootPath } from "../domain/path";
import { formatScope, isWithin, parseScope, type Scope } from "../domain/scopes";

export type AccessChoice = "asked" | "write" | "read";
export type ReachChoice = { readonly kind: "asked" | "root" } | { readonly kind: "folder"; readonly folder: RootPath };

export interface ScopeAsk {
  readonly scopes: readonly Scope[];
  /** The same as the client wrote them: it may compare them with what it gets. */
  readonly texts: readonly string[];
  /** Those that another one does not include already, for the page. */
  readonly shown: readonly Scope[];
  /** The plain case, read and write on the whole root: nothing of its own to show "as requested". */
  readonly isWholeRoot: boolean;
  readonly asksWrite: boolean;
}

/**
 * What a client asks for; null where it asks for something and none of it can be understood. Plain words that other servers
 * know (`offline_access`, `openid`) ask for nothing here; a misspelt `raed:/notes/` must not end up as all that is offered.
 */
export function readAsk(requested: readonly string[], offered: readonly string[]): ScopeAsk | null {
  const named = requested.filter((scope) => /[:/]/.test(scope));
  const texts = [...new Set(named.length > 0 ? named : offered)].filter((scope) => parseScope(scope) !== null);
  const scopes = texts.flatMap((scope) => parseScope(scope) ?? []);
  if (scopes.length === 0) return null;
  return {
    scopes,
    texts,
    shown: scopes.filter((scope, index) => !isIncluded(scope, index, scopes)),
    isWholeRoot: scopes.some((scope) => scope.verb === "write" && scope.path === "/" && scope.reach === "tree"),
    asksWrite: scopes.some((scope) => scope.verb === "write"),
  };
}

function isIncluded(scope: Scope, index: number, scopes: readonly Scope[]): boolean {
  return scopes.some((other, at) => {
    if (at === index || !isWithin(scope, [other])) return false;
    // Of two that mean the same, the first is shown.
    return at < index || !isWithin(other, [scope]);
  });
}

/** The scopes to grant: what was asked, cut down by the person's choices, never wider. Empty when the folder lies outside of what was asked. */
export function narrowScopes(ask: ScopeAsk, access: AccessChoice, reach: ReachChoice): string[] {
  if (access !== "read" && reach.kind !== "folder") return [...ask.texts];
  const asked = ask.scopes;
  const verbs = access === "read" ? asked.map((scope): Scope => ({ ...scope, verb: "read" })) : asked;
  const cut = reach.kind === "folder" ? verbs.flatMap((scope) => cutToFolder(scope, reach.folder) ?? []) : verbs;
  const granted: Scope[] = [];
  for (const scope of cut) {
    if (!isWithin(scope, asked)) throw new Error(`narrowing widened to ${formatScope(scope)}`);
    granted.push(scope);
  }
  return [...new Set(granted.map((scope) => formatScope(scope, "directory")))];
}

function cutToFolder(scope: Scope, folder: RootPath): Scope | null {
  if (isAtOrBelow(scope.path, folder)) return scope;
  // Direct children of a directory above the folder: a part that no scope can name.
  if (scope.reach === "children") return null;
  return isAtOrBelow(folder, scope.path) ? { ...scope, path: folder } : null;
}

/** For the page: what a scope lets an app do, in plain words. */
export function describeScope(scope: Scope): string {
  const verb = scope.verb === "write" ? "Read and change" : "Read";
  const isTree = scope.reach === "tree";
  if (scope.path === "/")
    return isTree ? `${verb} all your files` : `${verb} the files that lie in no folder, and see the names of folders`;
  return `${verb} ${scope.path} and ${isTree ? "everything" : "the files directly"} in it`;
}

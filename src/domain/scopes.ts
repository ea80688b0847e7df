import { isAtOrBelow, normalizePath, parentOf, type RootPath } from "./path";

export type ScopeVerb = "read" | "write";

/** `tree`: the path and all below it. `children`: the path and its direct children. Neither asks whether anything is there. */
export interface Scope {
  readonly verb: ScopeVerb;
  readonly path: RootPath;
  readonly reach: "tree" | "children";
}

/** What a call wants to do. */
export interface ScopeNeed {
  readonly verb: ScopeVerb;
  readonly path: RootPath;
  /** Also the direct children of `path` (text.md §3.3). */
  readonly listing?: boolean;
  /** All below `path`. */
  readonly whole?: boolean;
  /** Any scope at all will do; the verb and the path only name one to ask for. */
  readonly anywhere?: boolean;
}

const scopeForm = /^(read|write):(\/.*)$/s;

/** `read:/work/*` and the like; null for anything that cannot be understood, which then grants nothing (text.md §3.2). */
export function parseScope(text: string): Scope | null {
  const form = scopeForm.exec(text);
  if (!form) return null;
  const [, verb, raw] = form as unknown as [string, ScopeVerb, string];
  // The glob is looked for before decoding, so that `%2A` is a file named `*` (AUTH-035).
  const reach = raw.endsWith("/*") ? "children" : "tree";
  const decoded = decodeOnce(reach === "children" ? raw.slice(0, -1) : raw);
  if (decoded === null) return null;
  const path = normalizePath(decoded);
  return path.ok ? { verb, path: path.value, reach } : null;
}

/** AUTH-015: scopes are separated by spaces. */
export function parseScopes(text: string): Scope[] {
  return text.split(" ").flatMap((part) => parseScope(part) ?? []);
}

/** `directory` writes a tree with a trailing slash, the form to ask for when a whole directory is meant. */
export function formatScope(scope: Scope, form: "path" | "directory" = "path"): string {
  const path = encodePath(scope.path);
  if (scope.path === "/") return `${scope.verb}:/${scope.reach === "children" ? "*" : ""}`;
  if (scope.reach === "children") return `${scope.verb}:${path}/*`;
  return `${scope.verb}:${path}${form === "directory" ? "/" : ""}`;
}

/** Default deny (AUTH-030): true only if one scope grants the verb on the path, and on its direct children where those are to be listed. */
export function covers(scopes: readonly Scope[], need: ScopeNeed): boolean {
  if (need.anywhere) return scopes.length > 0;
  if (need.whole) return isWithin({ verb: need.verb, path: need.path, reach: "tree" }, scopes);
  const reach = need.listing ? reachesListing : reaches;
  return scopes.some((scope) => grantsVerb(scope, need.verb) && reach(scope, need.path));
}

/** May `directory` be listed? `read:/work/*` lists `/work`, not `/work/sub`. */
export function coversListing(scopes: readonly Scope[], directory: RootPath): boolean {
  return covers(scopes, { verb: "read", path: directory, listing: true });
}

/** Is everything that `scope` grants granted already? One grant must do: no union of finitely many others makes up a tree. */
export function isWithin(scope: Scope, granted: readonly Scope[]): boolean {
  return granted.some((grant) => {
    if (!grantsVerb(grant, scope.verb)) return false;
    if (grant.reach === "tree") return isAtOrBelow(scope.path, grant.path);
    return scope.reach === "children" && scope.path === grant.path;
  });
}

/** The scope to name in a refusal: `write:/notes/a.md`, or `read:/work/sub/` for a listing. */
export function neededScopeText(need: ScopeNeed): string {
  return formatScope(
    { verb: need.verb, path: need.path, reach: "tree" },
    need.listing || need.whole ? "directory" : "path",
  );
}

/** The message of a 403 (text.md §3.4). It tells nothing about what exists. */
export function refusalMessage(need: ScopeNeed): string {
  const scope = neededScopeText(need);
  if (need.whole) {
    return `This token may not ${need.verb} all of ${need.path}. Ask for the scope ${scope} and authorize again.`;
  }
  if (need.listing) return `This token may not list ${need.path}. Ask for the scope ${scope} and authorize again.`;
  const wider = formatScope({ verb: need.verb, path: parentOf(need.path), reach: "tree" }, "directory");
  const hint = wider === scope ? "" : ` (or ${wider} for the whole directory)`;
  return `This token may not ${need.verb} ${need.path}. Ask for the scope ${scope}${hint} and authorize again.`;
}

/** AUTH-039: write includes read. */
function grantsVerb(scope: Scope, verb: ScopeVerb): boolean {
  return scope.verb === verb || scope.verb === "write";
}

function reaches(scope: Scope, path: RootPath): boolean {
  if (scope.reach === "tree") return isAtOrBelow(path, scope.path);
  return path === scope.path || parentOf(path) === scope.path;
}

function reachesListing(scope: Scope, directory: RootPath): boolean {
  return scope.reach === "tree" ? isAtOrBelow(directory, scope.path) : directory === scope.path;
}

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** What would end the scope, its list or the header's quotes, and the glob (text.md §3.4). */
function encodePath(path: string): string {
  return path.replace(/[^\x21-\x7e]+|[%*"\\]/g, (part) => {
    let encoded = "";
    for (const byte of new TextEncoder().encode(part))
      encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    return encoded;
  });
}

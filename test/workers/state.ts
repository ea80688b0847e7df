import type { TestRoot } from "./root";

/** Everything that an operation is about: the tree, its counters, the history, the contents. Left out: caches, and where bytes lie. */
const tables = {
  nodes: `SELECT path, parent, name, kind, blob, size, lines, mtime_ms, iif(kind = 'file', git_oid, NULL) AS git_oid
            FROM nodes ORDER BY path`,
  usage: "SELECT * FROM usage",
  versions: "SELECT * FROM versions ORDER BY path, seq",
  blobs: `SELECT hash, git_oid, size, lines, written_at_ms, condemned_at_ms IS NOT NULL AS condemned
            FROM blobs ORDER BY hash`,
};

export function stateOf(root: TestRoot): Promise<Record<string, unknown[]>> {
  return Promise.all(Object.entries(tables).map(async ([name, query]) => [name, await root.sql(query)] as const)).then(
    Object.fromEntries,
  );
}

// What a passing test must carry in its title: the rules of the MCP interface (MCP-…) and of its authorization (AUTH-…), the sections of the
// snapshot substrate (seed 002 §…), the tools and error codes of the zip workspaces (seed 003 …).
// `npm test` reads the report of the tests and fails when one is missing.

const rules = {
  MCP: [
    ...["001", "002", "003", "004", "005", "010", "011", "012", "013", "014", "015", "020", "021"],
    ...["025", "026", "027", "028", "030", "031", "032", "033", "034", "040", "041", "042", "045", "046"],
    ...["050", "051", "052"],
  ],
  AUTH: [
    ...["001", "002", "010", "011", "012", "015", "016", "017", "018", "020", "021", "022", "023"],
    ...["030", "031", "032", "034", "035", "036", "037", "038", "039", "040", "041", "042"],
  ],
};

const sections = { "seed 002": ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4", "3.1", "3.2", "4", "5"] };

const names = {
  "seed 003": [
    ...[
      "zipfs_open",
      "zipfs_close",
      "zipfs_ls",
      "zipfs_tree",
      "zipfs_read",
      "zipfs_write",
      "zipfs_delete",
      "zipfs_grep",
    ],
    ...["zipfs_path", "zipfs_sync", "zipfs_status", "zipfs_sessions", "zipfs_prune"],
    ...["SESSION_NOT_FOUND", "AMBIGUOUS_SESSION", "NO_SESSIONS", "ZIP_NOT_FOUND", "ZIP_INVALID", "ZIP_BOMB_DETECTED"],
    ...["CONFLICT_DETECTED", "SYNC_FAILED", "PATH_TRAVERSAL", "PATH_NOT_FOUND", "LOCKED", "LIMIT_EXCEEDED"],
    "NAME_COLLISION",
  ],
};

export const ruleIds = [
  ...Object.entries(rules).flatMap(([family, numbers]) => numbers.map((number) => `${family}-${number}`)),
  ...Object.entries(sections).flatMap(([seed, numbers]) => numbers.map((number) => `${seed} §${number}`)),
  ...Object.entries(names).flatMap(([seed, list]) => list.map((name) => `${seed} ${name}`)),
];

/** Rules that do not apply, and why. */
export const leftOut = {
  "AUTH-019": "HS256 for local use: local tokens come from the same OAuth flow as all others, so no secret is shared",
};

/** The rules that no passed test of the report (vitest's JSON) carries in its title or in that of its group. */
export function unprovenRules(report) {
  const proven = new Set();
  for (const { assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status === "passed") for (const id of idsIn(fullName)) proven.add(id);
    }
  }
  return ruleIds.filter((id) => !proven.has(id));
}

/** "MCP-031", "seed 002 §2.3"; several sections may follow one name of their source: "seed 002 §1.2 §1.3"; names may stand anywhere. */
function* idsIn(title) {
  for (const [id] of title.matchAll(/\b(?:MCP|AUTH)-\d{3}\b/g)) yield id;
  for (const [, seed, numbers] of title.matchAll(/\b(seed \d{3})((?: §\d+(?:\.\d+)*)+)/g)) {
    for (const [number] of numbers.matchAll(/§\d+(?:\.\d+)*/g)) yield `${seed} ${number}`;
  }
  for (const [seed, list] of Object.entries(names)) {
    if (!title.includes(seed)) continue;
    for (const [name] of title.matchAll(/\b\w+\b/g)) if (list.includes(name)) yield `${seed} ${name}`;
  }
}

/** How much the tests try. `HOLDFAST_DEEP` (set by `npm run test:deep`) gives the full counts, otherwise a run stays short. */
const deep =
  process.env.HOLDFAST_DEEP !== undefined && process.env.HOLDFAST_DEEP !== "" && process.env.HOLDFAST_DEEP !== "0";

export const counts = {
  deep,
  /** Generated (text, range) and (text, edit) cases of the line model. */
  lineCases: deep ? 1_000_000 : 20_000,
  /** Generated pairs of texts whose diff must lead from one to the other. */
  diffPairs: deep ? 20_000 : 1_000,
  /** Generated pairs judged by the real git; each starts processes. */
  gitDiffPairs: deep ? 2_000 : 60,
  /** Generated edits whose diff, ours, must apply to exactly the edited files. */
  patchEdits: deep ? 20_000 : 1_000,
  /** Generated edits whose diff, that of the real git, must do so. */
  gitPatches: deep ? 500 : 25,
  /** Mutated patches that we accept, so that the real git must make the same of them. */
  mutatedPatches: deep ? 500 : 40,
  /** Random sequences of operations against the model of a root. */
  modelSequences: deep ? 2000 : 100,
  /** Random sequences of edits, brought into the tables one by one and all at once. */
  journalSequences: deep ? 1000 : 20,
  /** Files of one directory that is listed: one more than an answer holds at most, or by default. */
  listedFiles: deep ? 10_001 : 1_001,
  /** The same with leases, snapshots, deletions and restores. */
  snapshotSequences: deep ? 2000 : 25,
  /** Files of the root on which the tools must still work. */
  largeRootFiles: deep ? 10_000 : 1_000,
  /** Of the calls to SQLite within a mutation of the snapshot family, one in this many is made to fail. */
  faultStride: deep ? 1 : 100,
  /** Read, edit and retry rounds of each of 16 clients on one file. */
  contentionLoops: deep ? 200 : 4,
  /** Rounds of kill -9 and check. */
  crashRounds: deep ? 20 : 2,
  /** The same during opens and syncs of archives, in turn: half of them each. */
  zipCrashRounds: deep ? 40 : 2,
  /** Generated roots whose tree ids are compared with those of the real git. */
  gitRoots: deep ? 300 : 10,
  /** Generated roots and edits that go through the tools, each with a user of its own, judged by the real git. */
  gitThroughTools: deep ? 500 : 8,
  /** Generated expressions, each on several texts, judged by re2js. */
  grepExpressions: deep ? 200_000 : 3_000,
  /** Generated trees with ignore rules, judged by the real git. */
  gitIgnoreTrees: deep ? 3_000 : 60,
  /** Generated (documents, query, budget) cases, answered with the word index and without. */
  contextCases: deep ? 100_000 : 3_000,
  /** Generated (glob, path) cases. */
  globCases: deep ? 200_000 : 10_000,
  /** Generated streams of raw deflate, judged by zlib. */
  inflateCases: deep ? 100_000 : 1000,
  /** Archives with one byte changed. */
  zipDamages: deep ? 20_000 : 1000,
  /** Random sequences of edits, syncs and closes against the model of a zip session. */
  zipSequences: deep ? 2000 : 40,
  /** Generated workspaces that are packed and opened again, in memory. */
  zipRepacks: deep ? 5000 : 200,
  /** Edits of each of four clients in one zip session. */
  zipConcurrentWrites: deep ? 200 : 12,
  /** Generated trees that go through open, edits and sync, and are then judged by other programs. */
  zipTrees: deep ? 500 : 5,
  /** Uploads of 100 MiB at the same time, while the memory of the server is watched. */
  uploadsAtOnce: deep ? 4 : 2,
} as const;

/** The seed of every generated case; printed, and repeatable with `HOLDFAST_SEED`. */
export const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 0x7fffffff);
console.info(`generated cases: HOLDFAST_SEED=${seed}`);

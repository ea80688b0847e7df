import { type LeaseId, parseLeaseId } from "../../../domain/lease";
import { pathsArgumentMax } from "../../../domain/limits";
import { parseSnapshotId, type SnapshotId } from "../../../domain/manifest";
import type { RootPath } from "../../../domain/path";
import { parseRepoPath } from "../../../domain/repo-path";
import { err, ok, type Result } from "../../../domain/result";
import { invalidArgument, shown, type TextError } from "../../../domain/text-errors";
import { argument, optionalArgument } from "../../argument";
import type { ToolError } from "../../tool";

/** What the tools of the snapshot family take. */

/** There is one root per user; clients of other servers name it all the same (snapshot.md §2.3). */
export const ignoredRepoRoot = {
  repo_root: { values: [".", "/"], wanted: "there is one root, yours; leave repo_root out" },
} as const;

const leaseSchema = { type: "string", format: "uuid", description: "A lease that a worktree read returned." };

const snapshotSchema = {
  type: "string",
  pattern: "^sha256:[0-9a-f]{64}$",
  description: "A snapshot that snapshot.create returned.",
};

/** `mode`, `snapshot_id` and `lease_id` of the tools that work on live files and on snapshots alike. */
export const viewArguments = {
  mode: optionalArgument(
    {
      type: "string",
      enum: ["worktree", "snapshot"],
      description: "Live files or a snapshot; by default a snapshot if snapshot_id is given.",
    },
    (value) => parseWord(value, "mode", ["worktree", "snapshot"]),
  ),
  snapshot_id: optionalArgument(snapshotSchema, (value) => parseSnapshot(value, "snapshot_id")),
  lease_id: optionalArgument(leaseSchema, (value) => parseLease(value)),
} as const;

export const optionalLeaseArgument = optionalArgument(leaseSchema, (value) => parseLease(value));

const requiredLease =
  "lease_id: nothing was given; look at the files first, for example with snapshot.list, and pass the lease_id it returns.";

/** Of the tools that overwrite: nothing is written without having looked. */
export const leaseArgument = argument(leaseSchema, (value) => parseLease(value), requiredLease);

export const snapshotArgument = argument(snapshotSchema, (value) => parseSnapshot(value, "snapshot_id"));

export const fromSnapshotArgument = optionalArgument(
  { ...snapshotSchema, description: "The snapshot to compare with." },
  (value) => parseSnapshot(value, "from_snapshot_id"),
);

export const pathArgument = argument(
  { type: "string", description: "Path relative to the root, such as notes/a.md." },
  (value) => parseString(value, "path"),
);

export const optionalPathArgument = optionalArgument(
  { type: "string", default: ".", description: "Path relative to the root; . is all of it." },
  (value) => parseString(value, "path"),
);

export function pathsArgument(fallback: readonly string[] | null) {
  return optionalArgument(
    {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      maxItems: pathsArgumentMax,
      description: "Paths relative to the root; a directory stands for all below it.",
      ...(fallback !== null && { default: fallback }),
    },
    parseStrings,
  );
}

export function flagArgument(name: string, fallback: boolean, description: string) {
  return optionalArgument({ type: "boolean", default: fallback, description }, (value) =>
    typeof value === "boolean"
      ? ok(value)
      : err(invalidArgument(name, `${shown(value)} is not a boolean`, "give true or false")),
  );
}

export function wordArgument<const Word extends string>(name: string, words: readonly Word[], description: string) {
  return optionalArgument({ type: "string", enum: [...words], default: words[0], description }, (value) =>
    parseWord(value, name, words),
  );
}

/** Which state a call is about (snapshot.md §3.1). */
export interface ViewChoice {
  readonly snapshotId: SnapshotId | null;
  readonly leaseId: LeaseId | null;
}

export function chooseView(input: {
  readonly mode?: "worktree" | "snapshot" | undefined;
  readonly snapshot_id?: SnapshotId | undefined;
  readonly lease_id?: LeaseId | undefined;
}): Result<ViewChoice, ToolError> {
  const { snapshot_id: snapshotId = null, lease_id: leaseId = null } = input;
  const mode = input.mode ?? (snapshotId === null ? "worktree" : "snapshot");
  if (mode === "worktree") {
    if (snapshotId === null) return ok({ snapshotId, leaseId });
    return err(
      invalidArgument("snapshot_id", "it was given in worktree mode", 'leave it out, or leave out mode: "worktree"'),
    );
  }
  if (snapshotId === null) {
    return err(invalidArgument("snapshot_id", "nothing was given in snapshot mode", "give the snapshot to look at"));
  }
  if (leaseId === null) return ok({ snapshotId, leaseId });
  return err(invalidArgument("lease_id", "it was given in snapshot mode", "leave it out: a snapshot never changes"));
}

/** `writes`: pointing out of the root is PERMISSION_DENIED where something would be written (snapshot.md §2.2). */
export function parsePath(raw: string, writes = false, name = "path"): Result<RootPath, ToolError> {
  const path = parseRepoPath(raw, name);
  if (path.ok) return path;
  const code = writes && path.error.class === "escape" ? "PERMISSION_DENIED" : "INVALID_ARGUMENT";
  return err({ code, message: path.error.message, details: { argument: name } });
}

export function parsePaths(raws: readonly string[], writes = false): Result<RootPath[], ToolError> {
  const paths: RootPath[] = [];
  for (const raw of raws) {
    const path = parsePath(raw, writes, "paths");
    if (!path.ok) return path;
    paths.push(path.value);
  }
  return ok(paths);
}

export function parseString(value: unknown, name: string): Result<string, TextError> {
  if (typeof value !== "string") {
    return err(invalidArgument(name, `${shown(value)} is not a string`, "give a string"));
  }
  if (value.isWellFormed()) return ok(value);
  return err(invalidArgument(name, "it has a lone surrogate", "give well-formed Unicode"));
}

function parseLease(value: unknown): Result<LeaseId, TextError> {
  const lease = parseLeaseId(value);
  if (lease !== null) return ok(lease);
  return err(
    invalidArgument("lease_id", `${shown(value)} is not a lease`, "give the UUID that a worktree read returned"),
  );
}

function parseSnapshot(value: unknown, name: string): Result<SnapshotId, TextError> {
  const id = parseSnapshotId(value);
  if (id !== null) return ok(id);
  return err(
    invalidArgument(name, `${shown(value)} is not a snapshot id`, 'give "sha256:" and 64 lower-case hex digits'),
  );
}

function parseStrings(value: unknown): Result<string[], TextError> {
  const wanted = `give an array of 1 to ${pathsArgumentMax} paths`;
  if (!Array.isArray(value)) return err(invalidArgument("paths", `${shown(value)} is not an array`, wanted));
  if (value.length < 1 || value.length > pathsArgumentMax) {
    return err(invalidArgument("paths", `the array has ${value.length} elements`, wanted));
  }
  const wrong = value.find((item) => typeof item !== "string" || !item.isWellFormed());
  if (wrong === undefined && !value.includes(undefined)) return ok(value as string[]);
  return err(invalidArgument("paths", `${shown(wrong)} is not a path`, wanted));
}

function parseWord<const Word extends string>(
  value: unknown,
  name: string,
  words: readonly Word[],
): Result<Word, TextError> {
  const word = words.find((one) => one === value);
  if (word !== undefined) return ok(word);
  const offered = words.map((one) => JSON.stringify(one)).join(" or ");
  return err(invalidArgument(name, `${shown(value)} is not one of the words`, `give ${offered}`));
}

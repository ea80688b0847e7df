import { quote } from "../quote";
import { err, ok, type Result } from "../result";
import type { Container } from "./end-record";
import { indexedDirectories } from "./entry-index";
import { decodeName, judgeName, type SkipReason, shownName } from "./entry-name";
import { entryTimeMs } from "./entry-times";
import { type CentralRecord, flagBits } from "./records";
import { type Warning, warningsOf } from "./warnings";
import { type ArchiveFlaw, invalid } from "./zip-errors";
import type { ZipLimits } from "./zip-limits";

export type EntryKind = "file" | "directory" | "skipped" | "shadowed";

/** What `zipfs_open` will do with one entry. */
export interface PlannedEntry {
  readonly record: CentralRecord;
  /** Of the local header, absolute. */
  readonly offset: number;
  /** As decoded, before normalizing. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Normalized; `""` for the root of the workspace. */
  readonly path: string;
  readonly reason: SkipReason | null;
  readonly timeMs: number | null;
}

export interface EntryPlan {
  /** In archive order. */
  readonly entries: readonly PlannedEntry[];
  /** Made by entries or by what lies in them, parents first. */
  readonly directories: ReadonlySet<string>;
  readonly fileCount: number;
  readonly fileBytes: number;
  readonly warnings: readonly Warning[];
}

/** zipfs.md §3.1 steps 8 and 9, as far as the archive alone decides. */
export function planEntries(
  records: readonly CentralRecord[],
  container: Container,
  limits: Pick<ZipLimits, "fileBytes">,
): Result<EntryPlan, ArchiveFlaw> {
  const judged: PlannedEntry[] = [];
  for (const record of records) {
    const entry = judgeEntry(record, container.base);
    if (!entry.ok) return entry;
    judged.push(entry.value);
  }
  const entries = markShadowed(judged);
  const directories = indexedDirectories(entries);
  const clash = entries.find((entry) => entry.kind === "file" && directories.has(entry.path));
  if (clash !== undefined) return err(invalid(`${quote(clash.path)} is both a file and a directory`));
  const files = entries.filter((entry) => entry.kind === "file");
  const large = files.find((entry) => entry.record.size > limits.fileBytes);
  if (large !== undefined) {
    const what = `size of entry ${quote(large.name)}`;
    return err({ kind: "limit", what, value: large.record.size, limit: limits.fileBytes });
  }
  return ok({
    entries,
    directories,
    fileCount: files.length,
    fileBytes: files.reduce((sum, entry) => sum + entry.record.size, 0),
    warnings: warningsOf(entries),
  });
}

function judgeEntry(record: CentralRecord, base: number): Result<PlannedEntry, ArchiveFlaw> {
  const decoded = decodeName(record);
  if (decoded === null)
    return err(invalid(`the name ${quote(shownName(record))} is flagged as UTF-8 and is not UTF-8`));
  const name = judgeName(decoded);
  if (name.outcome === "escape") return err({ kind: "escape", entry: decoded });
  if (name.outcome === "invalid") return err(invalid(`${name.why} (${quote(decoded)})`));
  if ((record.flags & (flagBits.encrypted | flagBits.strong | flagBits.masked)) !== 0) {
    return err(invalid(`encrypted entries are not supported: ${quote(decoded)}`));
  }
  const type = unixType(record);
  const reason = name.outcome === "skipped" ? name.reason : skippedType(type);
  const isDirectory = name.isDirectory || type === directoryType;
  const common = {
    record,
    offset: base + record.offset,
    name: decoded,
    path: name.path,
    timeMs: entryTimeMs(record.dosDate, record.dosTime, record.extra),
  };
  // An entry for the workspace itself is a directory that is always there.
  if (reason === "names_root" && isDirectory) return ok({ ...common, kind: "directory", reason: null });
  if (reason !== null) return ok({ ...common, kind: "skipped", reason });
  const flaw = contentFlaw(record, decoded, isDirectory);
  return flaw === null ? ok({ ...common, kind: isDirectory ? "directory" : "file", reason: null }) : err(flaw);
}

function contentFlaw(record: CentralRecord, name: string, isDirectory: boolean): ArchiveFlaw | null {
  const { method, size, compressedSize } = record;
  if (method !== 0 && method !== 8) return invalid(`method ${method} of ${quote(name)} is not supported`);
  if (method === 0 && size !== compressedSize) return invalid(`the sizes of stored entry ${quote(name)} differ`);
  if (compressedSize === 0 && size > 0) return invalid(`${quote(name)} has a size but no data`);
  if (isDirectory && size > 0) return invalid(`directory ${quote(name)} has data`);
  return null;
}

const directoryType = 0o040000;
const fileType = 0o100000;
const linkType = 0o120000;
const typeMask = 0o170000;
const unixHosts = [3, 19];

/** 0 where the host has none, or says none. */
function unixType({ madeBy, externalAttributes }: CentralRecord): number {
  return unixHosts.includes(madeBy >> 8) ? (externalAttributes >>> 16) & typeMask : 0;
}

function skippedType(type: number): SkipReason | null {
  if (type === linkType) return "symlink";
  return type === 0 || type === fileType || type === directoryType ? null : "special_file";
}

/** Two files of one path: the last wins. */
function markShadowed(entries: readonly PlannedEntry[]): PlannedEntry[] {
  const last = new Map(entries.filter((entry) => entry.kind === "file").map((entry) => [entry.path, entry]));
  return entries.map((entry) =>
    entry.kind === "file" && last.get(entry.path) !== entry ? { ...entry, kind: "shadowed" } : entry,
  );
}

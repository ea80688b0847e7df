import {
  zipBackupsCeiling,
  zipBackupsMax,
  zipDirectoryMaxBytes,
  zipEntriesCeiling,
  zipEntriesMax,
  zipExtractedCeilingBytes,
  zipExtractedMaxBytes,
  zipFileCeilingBytes,
  zipFileMaxBytes,
  zipMaxBytes,
  zipNestingMax,
  zipRatioMax,
  zipSessionsMax,
  zipTotalCeilingBytes,
  zipTotalMaxBytes,
} from "../limits";

/** The limits of zipfs.md §3.2 that a deployment may set, each up to its ceiling. */
export interface ZipLimits {
  readonly zipBytes: number;
  readonly extractedBytes: number;
  readonly entries: number;
  readonly ratio: number;
  readonly directoryBytes: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly sessions: number;
  readonly nesting: number;
  readonly backups: number;
}

export const defaultZipLimits: ZipLimits = {
  zipBytes: zipMaxBytes,
  extractedBytes: zipExtractedMaxBytes,
  entries: zipEntriesMax,
  ratio: zipRatioMax,
  directoryBytes: zipDirectoryMaxBytes,
  fileBytes: zipFileMaxBytes,
  totalBytes: zipTotalMaxBytes,
  sessions: zipSessionsMax,
  nesting: zipNestingMax,
  backups: zipBackupsMax,
};

const ceilings: ZipLimits = {
  ...defaultZipLimits,
  extractedBytes: zipExtractedCeilingBytes,
  entries: zipEntriesCeiling,
  fileBytes: zipFileCeilingBytes,
  totalBytes: zipTotalCeilingBytes,
  backups: zipBackupsCeiling,
};

/** Settings as JSON, such as `{"entries":50000}`. What makes no sense is left at its default; nothing goes above its ceiling. */
export function parseZipLimits(settings: string | undefined): ZipLimits {
  const wanted = parseObject(settings);
  const entries = Object.entries(defaultZipLimits).map(([name, fallback]) => {
    const value = wanted[name];
    return [name, isUsable(name, value) ? Math.min(value, ceilings[name as keyof ZipLimits]) : fallback];
  });
  return Object.fromEntries(entries) as ZipLimits;
}

/** A ratio may have a fraction; 0 means that no archive is opened from a workspace. The others count something that there must be. */
function isUsable(name: string, value: unknown): value is number {
  if (name === "ratio") return typeof value === "number" && value > 0;
  return Number.isSafeInteger(value) && (value as number) >= (name === "nesting" ? 0 : 1);
}

function parseObject(settings: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(settings ?? "{}");
    return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

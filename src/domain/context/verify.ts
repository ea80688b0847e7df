import { compareUtf8 } from "../byte-order";
import { documentProblems, parseDocument } from "./cache-document";
import { cacheVersion, documentFile, documentsFolder, indexFile, manifestFile } from "./cache-format";
import {
  type CacheManifest,
  type ManifestEntry,
  manifestProblems,
  type ReadManifest,
  readableFields,
  usableManifest,
} from "./cache-manifest";
import { type CacheProblem, type CheckName, checkNames, ProblemList, type ProblemName } from "./problems";
import { type FileBytes, isRecord, parseStrictJson } from "./strict-json";

/** What verify finds, in the order of its fields (context.md §8). */
export interface Verification {
  readonly cache_version: string;
  readonly valid: boolean;
  readonly checks: readonly { readonly name: CheckName; readonly ok: boolean }[];
  readonly problems: readonly CacheProblem[];
  readonly problems_truncated: boolean;
}

/** What lies in a cache, by paths relative to it. */
export interface CacheContents {
  readonly files: ReadonlySet<string>;
  /** Directories with no file below them. */
  readonly emptyDirectories: Iterable<string>;
}

/** Takes the parts of a cache one by one, documents last and each on its own: all of them at once would not fit into memory. */
export class CacheVerifier {
  /** Null: the manifest fails, and with it everything that needs it. */
  readonly manifest: CacheManifest | null;
  private readonly problems = new ProblemList();

  constructor(
    private readonly read: ReadManifest,
    private readonly contents: CacheContents,
    index: FileBytes,
  ) {
    for (const problem of manifestProblems(read)) this.problems.add(problem);
    this.manifest = usableManifest(read);
    if (this.manifest === null) return;
    this.checkTotals(this.manifest);
    const problem = indexProblem(this.manifest, index);
    if (problem !== null) this.add("index", indexFile, problem);
    this.checkOrphans(this.manifest);
    for (const { file, path, version } of this.manifest.documents) {
      if (!contents.files.has(path)) this.add("files_present", path, "missing");
      if (file !== documentFile(version)) this.add("files_present", path, "wrong_name");
    }
  }

  checkDocument(entry: ManifestEntry, bytes: Uint8Array | "too_large"): void {
    const document = parseDocument(bytes);
    const found = typeof document === "string" ? [document] : documentProblems(document, entry);
    for (const problem of found) this.add("documents", entry.path, problem);
  }

  finish(): Verification {
    const checks = checkNames.map((name) => ({ name, ok: this.manifest !== null && !this.problems.has(name) }));
    const { problems, truncated } = this.problems.finish();
    return {
      cache_version: readableFields(this.read).cacheVersion ?? "",
      valid: checks.every(({ ok }) => ok),
      checks,
      problems,
      problems_truncated: truncated,
    };
  }

  private checkTotals({ cacheVersion: stored, documentCount, documents }: CacheManifest): void {
    const isSorted = documents.every((document, index) => {
      const previous = documents[index - 1];
      return previous === undefined || compareUtf8(previous.id, document.id) < 0;
    });
    if (!isSorted) this.add("count_and_order", `${manifestFile}#documents`, "not_sorted");
    if (documentCount !== documents.length) {
      this.add("count_and_order", `${manifestFile}#document_count`, "wrong_count");
    }
    const ordered = isSorted ? documents : documents.toSorted((left, right) => compareUtf8(left.id, right.id));
    if (cacheVersion(ordered) !== stored) this.add("cache_version", `${manifestFile}#cache_version`, "mismatch");
  }

  private checkOrphans({ documents }: CacheManifest): void {
    const named = new Set(documents.map(({ path }) => path));
    const within = `${documentsFolder}/`;
    for (const file of this.contents.files) {
      if (file.startsWith(within) && !named.has(file)) this.add("no_orphans", file, "orphan");
    }
    for (const directory of this.contents.emptyDirectories) {
      if (directory.startsWith(within)) this.add("no_orphans", directory, "orphan");
    }
  }

  private add(check: CheckName, path: string, problem: ProblemName): void {
    this.problems.add({ check, path, problem });
  }
}

/** The map itself counts, not how it is written down. */
function indexProblem({ documents }: CacheManifest, bytes: FileBytes): ProblemName | null {
  if (bytes === null) return "missing";
  const parsed = parseStrictJson(bytes);
  if (parsed.kind !== "json") return "not_json";
  if (!isRecord(parsed.value)) return "differs";
  const files = new Map(Object.entries(parsed.value));
  const isSame = files.size === documents.length && documents.every(({ id, file }) => files.get(id) === file);
  return isSame ? null : "differs";
}

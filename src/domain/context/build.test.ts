/** What build_cache is asked and which files it chooses. Not here: contents, the target, the tree itself. */
import { describe, expect, it } from "vitest";
import { type Sha256, sha256Hex } from "../hash";
import type { RootPath } from "../path";
import { type BuildPlan, chooseCandidates, planDocuments, type SourceFile } from "./build-plan";
import { type BuildRequest, parseBuildRequest } from "./build-request";
import type { ContextError } from "./errors";

const mib = 1024 * 1024;

function request(args: Record<string, unknown> = {}): BuildRequest {
  const parsed = parseBuildRequest({ cache: "c", ...args });
  if (!parsed.ok) throw new Error(parsed.error.details?.message);
  return parsed.value;
}

function refusal(args: Record<string, unknown>): ContextError {
  const parsed = parseBuildRequest(args);
  if (parsed.ok) throw new Error("it was taken");
  return parsed.error;
}

function file(path: string, content = path, facts: Partial<SourceFile> = {}): SourceFile {
  return { path: path as RootPath, blob: sha256Hex(content), size: content.length, lines: 1, ...facts };
}

function plan(files: SourceFile[], args: Record<string, unknown> = {}): BuildPlan | ContextError {
  const asked = request(args);
  const candidates = chooseCandidates(files, asked);
  if (!candidates.ok) return candidates.error;
  const planned = planDocuments(candidates.value, ({ path }) => path.includes("nul"), asked);
  return planned.ok ? planned.value : planned.error;
}

function planned(files: SourceFile[], args: Record<string, unknown> = {}): string[] {
  const made = plan(files, args);
  if ("code" in made) throw new Error(made.details?.message);
  return made.documents.map(({ id }) => id);
}

describe("arguments", () => {
  it("have these defaults", () => {
    expect(request()).toEqual({
      cache: "c",
      target: "/caches/c",
      sources: "/",
      snapshotId: null,
      include: ["**/*.md"],
      exclude: [],
      force: false,
      onInvalidUtf8: "error",
      onDuplicateContent: "error",
      dryRun: false,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["cache", {}],
    ["cache", { cache: "" }],
    ["cache", { cache: "a/b" }],
    ["cache", { cache: ".a" }],
    ["cache", { cache: "a".repeat(65) }],
    ["cache", { cache: "é" }],
    ["cache", { cache: "a\n" }],
    ["cache", { cache: ["a"] }],
    ["sources", { cache: "c", sources: "/../x" }],
    ["sources", { cache: "c", sources: "" }],
    ["sources", { cache: "c", sources: null }],
    ["sources", { cache: "c", sources: 5 }],
    ["snapshot_id", { cache: "c", snapshot_id: "latest" }],
    ["snapshot_id", { cache: "c", snapshot_id: null }],
    ["include", { cache: "c", include: [] }],
    ["include", { cache: "c", include: "*.md" }],
    ["include", { cache: "c", include: [""] }],
    ["include", { cache: "c", include: [5] }],
    ["include", { cache: "c", include: Array.from({ length: 33 }, () => "*") }],
    ["include", { cache: "c", include: ["x".repeat(1001)] }],
    ["include", { cache: "c", include: ["{a,b}".repeat(20)] }],
    ["exclude", { cache: "c", exclude: {} }],
    ["force", { cache: "c", force: "true" }],
    ["dry_run", { cache: "c", dry_run: 1 }],
    ["on_invalid_utf8", { cache: "c", on_invalid_utf8: "ignore" }],
    ["on_duplicate_content", { cache: "c", on_duplicate_content: null }],
    ["overwrite", { cache: "c", overwrite: true }],
  ])("invalid_argument: %s of %j", (argument, args) => {
    const { code, details } = refusal(args);
    expect(code).toBe("invalid_query");
    expect(details).toEqual({
      reason: "invalid_argument",
      argument,
      message: expect.stringMatching(`^${argument}: .*\\.$`),
    });
  });

  it("take every cache name of the pattern, and 32 globs", () => {
    for (const cache of ["a", "A.b_c-9", "0", "a".repeat(64), "a..b"])
      expect(request({ cache }).target).toBe(`/caches/${cache}`);
    expect(request({ include: Array.from({ length: 32 }, () => "*") }).include).toHaveLength(32);
    expect(request({ exclude: [] }).exclude).toEqual([]);
  });
});

describe("the files chosen", () => {
  it("are those that a glob includes and none excludes, dot-files too, relative to the sources", () => {
    const files = ["/docs/a.md", "/docs/.b.md", "/docs/x/c.md", "/docs/x/d.txt", "/docs/A.MD"].map((path) =>
      file(path),
    );
    expect(planned(files, { sources: "/docs" })).toEqual([".b.md", "a.md", "x/c.md"]);
    expect(planned(files, { sources: "/docs", include: ["x/*", "a.md"], exclude: ["**/c.*"] })).toEqual([
      "a.md",
      "x/d.txt",
    ]);
    expect(planned(files, { sources: "/" })).toEqual(["docs/.b.md", "docs/a.md", "docs/x/c.md"]);
  });

  it("leave out caches and zip workspaces, unless the sources lie there, and the target always", () => {
    const files = ["/a.md", "/caches/c/x.md", "/caches/d/y.md", "/caches.md", "/.zipfs/s/z.md"].map((path) =>
      file(path),
    );
    expect(planned(files)).toEqual(["a.md", "caches.md"]);
    expect(planned(files.slice(1, 3), { sources: "/caches" })).toEqual(["d/y.md"]);
    expect(planned(files.slice(1, 2), { sources: "/caches/c" })).toEqual([]);
    expect(planned(files.slice(4), { sources: "/.zipfs/s" })).toEqual(["z.md"]);
  });

  it("come in the order of the bytes of their ids, which are in lower case", () => {
    expect(planned(["/B.md", "/a.md", "/～.md", "/😀.md", "/a-1.md", "/É.md"].map((path) => file(path)))).toEqual([
      ...["a-1.md", "a.md", "b.md", "é.md", "～.md", "😀.md"],
    ]);
  });

  it("too_large: are at most 10 000, of 8 MiB each and 64 MiB in all", () => {
    const many = Array.from({ length: 10_001 }, (_, n) => file(`/${n}.md`));
    expect(plan(many)).toMatchObject({
      code: "cache_invalid",
      details: { reason: "too_large", limit: 10_000, value: 10_001 },
    });
    expect(planned(many.slice(1))).toHaveLength(10_000);
    const sized = (count: number, size: number) =>
      Array.from({ length: count }, (_, n) => file(`/${n}.md`, undefined, { size }));
    expect(plan(sized(1, 8 * mib + 1))).toMatchObject({
      details: { limit: 8 * mib, value: 8 * mib + 1, path: "/0.md" },
    });
    expect(plan([...sized(8, 8 * mib), file("/x.md", "x")])).toMatchObject({
      details: { limit: 64 * mib, value: 64 * mib + 1 },
    });
    expect(planned(sized(8, 8 * mib))).toHaveLength(8);
  });

  it("invalid_utf8: are refused together, or skipped; a NUL makes no text of them, but UTF-8 all the same", () => {
    const files = [
      ...Array.from({ length: 25 }, (_, n) => file(`/bin${n}.md`, `${n}`, { lines: null })),
      file("/nul.md", "n", { lines: null }),
    ];
    const refused = plan(files);
    expect(refused).toMatchObject({ code: "cache_invalid", details: { reason: "invalid_utf8" } });
    expect("code" in refused && refused.details?.paths).toHaveLength(20);
    const made = plan(files, { on_invalid_utf8: "skip" });
    expect(made).toMatchObject({ documents: [{ id: "nul.md" }] });
    expect("skipped" in made && made.skipped.map(({ path }) => path)).toEqual(
      files
        .slice(0, 25)
        .map(({ path }) => path)
        .sort(),
    );
  });

  it("duplicate_id: there is no skip for it, and it comes before contents", () => {
    const files = [file("/A.md", "x"), file("/a.md", "y"), file("/b.md", "x"), file("/c.md", "c")];
    const refused = {
      code: "cache_invalid",
      details: { reason: "duplicate_id", id: "a.md", paths: ["/A.md", "/a.md"] },
    };
    expect(plan(files)).toMatchObject(refused);
    expect(plan(files, { on_duplicate_content: "skip" })).toMatchObject(refused);
  });

  it("duplicate_content: names the first group; skip keeps the smallest id", () => {
    const files = [file("/z.md", "x"), file("/c.md", "y"), file("/b.md", "y"), file("/a.md", "x"), file("/e.md", "x")];
    expect(plan(files)).toMatchObject({
      code: "cache_invalid",
      details: { reason: "duplicate_content", paths: ["/a.md", "/e.md", "/z.md"] },
    });
    const made = plan(files, { on_duplicate_content: "skip" });
    expect(made).toMatchObject({
      documents: [{ id: "a.md" }, { id: "b.md" }],
      skipped: ["/c.md", "/e.md", "/z.md"].map((path) => ({ path, reason: "duplicate_content" })),
    });
  });

  it("duplicate_content: the first 12 digits of a hash are what counts", () => {
    const twin = (path: string, last: string) =>
      file(path, path, { blob: `${"ab".repeat(6)}${last.repeat(52)}` as Sha256 });
    expect(plan([twin("/a.md", "0"), twin("/b.md", "1")])).toMatchObject({ details: { reason: "duplicate_content" } });
  });
});

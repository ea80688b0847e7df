/** Every vector of the context family that needs no tree, byte for byte, by the pure functions. Not here: tools, storage, identifiers that exist or not. */
import { describe, expect, it } from "vitest";
import { answerText, loadCache, selectByIndex, selectPlainly } from "../../../test/context/two-ways";
import { filesOf, vectors } from "../../../test/context/vectors";
import { type Sha256, sha256Hex } from "../hash";
import { normalizePath, type RootPath } from "../path";
import { type Candidate, chooseCandidates, planDocuments } from "./build-plan";
import { parseBuildRequest } from "./build-request";
import { cacheVersion, documentFile, documentText, indexText, manifestText } from "./cache-format";
import { readManifest } from "./cache-manifest";
import { errorBody } from "./errors";
import { parseCacheIdentifier } from "./identifier";
import { inspectionOf } from "./inspect";
import { parseQuestion } from "./question";
import { floatText, scoreOf } from "./score";
import { CacheVerifier } from "./verify";
import { countWords, lowerWords } from "./words";

const bytes = (text: string) => new TextEncoder().encode(text);
const question = (args: Record<string, unknown>) => {
  const parsed = parseQuestion(args);
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value;
};

describe("words and numbers", () => {
  it.each(vectors.word_split)("$text splits into $words", ({ text, words }) => {
    expect(lowerWords(text)).toEqual(words);
    const { counts, totalWords } = countWords(text);
    expect(totalWords).toBe(words.length);
    for (const word of new Set(words)) expect(counts.get(word)).toBe(words.filter((one) => one === word).length);
  });

  it.each(vectors.f32_text)("$matches of $words words are written $text", ({ matches, words, text }) => {
    expect(floatText(scoreOf(matches, words))).toBe(text);
  });
});

describe.each(Object.entries(vectors.caches))("the cache %s", (_, cache) => {
  const versions = new Map(cache.manifest_documents.map(({ id, version }) => [id, version]));

  it("has this version, manifest, index and these documents", () => {
    expect(cacheVersion(cache.manifest_documents)).toBe(cache.cache_version);
    expect(manifestText(cache.manifest_documents, Date.parse(cache.created_at))).toBe(cache.manifest_text);
    expect(indexText(cache.manifest_documents)).toBe(cache.index_text);
    const texts = cache.documents.map(({ id, content, source = id }) => {
      const version = `sha256:${sha256Hex(content)}`;
      expect(version).toBe(versions.get(id));
      return [documentFile(version), documentText({ id, version, source, content })];
    });
    expect(Object.fromEntries(texts)).toEqual(cache.document_files);
  });

  it("is told by inspect, and holds against every check of verify", () => {
    const files = filesOf(cache);
    const own = Buffer.byteLength(cache.manifest_text) + Buffer.byteLength(cache.index_text);
    const read = readManifest(bytes(cache.manifest_text));
    expect(JSON.stringify(inspectionOf(read, own))).toBe(cache.inspect_text);
    const contents = { files: new Set(Object.keys(files)), emptyDirectories: [] };
    const verifier = new CacheVerifier(read, contents, bytes(cache.index_text));
    for (const entry of verifier.manifest?.documents ?? []) {
      verifier.checkDocument(entry, bytes(files[entry.path] ?? ""));
    }
    const verified = verifier.finish();
    expect(verified.problems).toEqual([]);
    expect(verified).toMatchObject({ cache_version: cache.cache_version, valid: true, problems_truncated: false });
    expect(verified.checks.every(({ ok }) => ok)).toBe(true);
  });
});

describe("seed 004 context.resolve", () => {
  it.each(vectors.resolve)("answers $query within $budget of $set, with the index and without", (vector) => {
    const cache = vectors.caches[vector.set];
    const documents = cache === undefined ? null : loadCache(filesOf(cache));
    if (documents === null) throw new Error(`no cache ${vector.set}`);
    const asked = question({ query: vector.query, budget: vector.budget });
    expect(answerText(documents, asked, selectPlainly(documents, asked))).toBe(vector.expect_text);
    expect(answerText(documents, asked, selectByIndex(documents, asked))).toBe(vector.expect_text);
  });

  it.each(vectors.resolve_errors)("refuses $args", ({ args, expect_text }) => {
    const parsed = parseQuestion(args);
    const isPresent = args.cache === "lamp" && parsed.ok;
    expect(isPresent).toBe(false);
    // What names nothing, or a file, only a tree can tell; to the parser it is an identifier like others.
    const error = parsed.ok ? ({ code: "cache_missing" } as const) : parsed.error;
    expect(`${JSON.stringify(errorBody(error))}\n`).toBe(expect_text);
    if (!parsed.ok || args.cache === "nope" || args.cache === "lamp/manifest.json") return;
    expect(parseCacheIdentifier(args.cache)).toBeNull();
  });

  it.each(vectors.resolve_accepted_ids)("takes $args.cache for $same_as", ({ args, same_as }) => {
    expect(parseCacheIdentifier(args.cache)).toBe(`/caches/${same_as}`);
  });
});

describe.each([...vectors.broken_caches, ...vectors.tolerated_caches])("the cache $name", (vector) => {
  const { files, resolve_args, resolve_expect_text, inspect_expect_text } = vector;
  const manifest = files["manifest.json"];

  it("seed 004 is resolved, or refused, as the vector says", () => {
    const documents = loadCache(files);
    const asked = question(resolve_args);
    const answer =
      documents === null
        ? `${JSON.stringify(errorBody({ code: "cache_invalid" }))}\n`
        : answerText(documents, asked, selectPlainly(documents, asked));
    expect(answer).toBe(resolve_expect_text);
  });

  it("seed 004 is inspected as the vector says", () => {
    const own = Object.entries(files).filter(([path]) => !path.includes("/"));
    const total = own.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    const read = readManifest(manifest === undefined ? null : bytes(manifest));
    expect(JSON.stringify(inspectionOf(read, total))).toBe(inspect_expect_text);
  });
});

describe("context.build_cache", () => {
  it.each(vectors.build)("plans the sources $name", (vector) => {
    const request = parseBuildRequest({ cache: "built", sources: vector.sources, ...vector.args });
    if (!request.ok) throw new Error("no request");
    const files = Object.entries(vector.tree).flatMap(([raw, content]) => {
      const path = normalizePath(raw);
      if (content === null || !path.ok) return [];
      return [{ path: path.value as RootPath, blob: sha256Hex(content) as Sha256, size: content.length, lines: 1 }];
    });
    const candidates = chooseCandidates(files, request.value);
    const plan = candidates.ok ? planDocuments(candidates.value, (_: Candidate) => true, request.value) : candidates;
    if (!plan.ok) {
      expect(plan.error.details?.reason).toBe(vector.expect_reason);
      return;
    }
    expect(plan.value.documents.map(({ id }) => id)).toEqual(vector.expect_ids);
    expect(cacheVersion(plan.value.documents)).toBe(vector.expect_cache_version);
    expect(plan.value.skipped).toEqual(vector.expect_skipped ?? []);
    const sources = plan.value.documents.map(({ source }) => source);
    expect(sources).toEqual(vector.expect_sources ?? sources);
  });
});

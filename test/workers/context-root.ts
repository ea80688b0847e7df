import { compareUtf8 } from "../../src/domain/byte-order";
import { parseBuildRequest } from "../../src/domain/context/build-request";
import { documentFile, documentText, indexText, manifestText } from "../../src/domain/context/cache-format";
import { parseQuestion } from "../../src/domain/context/question";
import { sha256Hex } from "../../src/domain/hash";
import type { RootPath } from "../../src/domain/path";
import type { BuiltCache } from "../../src/root/operations/context/build-cache";
import { caller, okValue, type TestRoot } from "./root";

export interface Source {
  readonly id: string;
  readonly content: string;
}

/** The files of a cache of these documents, by paths relative to it. */
export function cacheFiles(sources: readonly Source[], createdAtMs = 0): Record<string, string> {
  const entries = sources
    .map(({ id, content }) => {
      const version = `sha256:${sha256Hex(content)}`;
      return { id, version, file: documentFile(version), content };
    })
    .sort((left, right) => compareUtf8(left.id, right.id));
  const documents = entries.map(({ id, version, file, content }) => [
    file,
    documentText({ id, version, source: id, content }),
  ]);
  return {
    "manifest.json": manifestText(entries, createdAtMs),
    "index.json": indexText(entries),
    ...Object.fromEntries(documents),
  };
}

export async function writeCache(root: TestRoot, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) okValue(await root.create(`/caches/${name}/${file}`, text));
}

/** What the tool would answer: the text, or the code of the error. */
export async function resolve(root: TestRoot, name: string, query: string, budget: number): Promise<string> {
  return textOf(root.methods.resolveCache(caller, `/caches/${name}` as RootPath, question(query, budget)));
}

export async function plan(root: TestRoot, name: string, query: string, budget: number): Promise<string> {
  return textOf(root.methods.planCache(caller, `/caches/${name}` as RootPath, question(query, budget)));
}

export interface Built {
  readonly built?: BuiltCache;
  readonly reason?: string;
  readonly code?: string;
}

/** What `context.build_cache` made, or why it refused. */
export async function build(
  root: TestRoot,
  args: Record<string, unknown>,
  progress: ((done: number, total: number) => void | Promise<void>) | null = null,
): Promise<Built> {
  const request = parseBuildRequest(args);
  if (!request.ok) throw new Error(request.error.details?.message);
  const reply = await root.methods.buildCache(caller, request.value, progress);
  if (!reply.admitted) throw new Error(reply.refusal);
  if (reply.value.ok) return { built: reply.value.value };
  const { code, details } = reply.value.error;
  return { code, ...(details !== undefined && { reason: details.reason }) };
}

export async function isValid(root: TestRoot, name: string): Promise<boolean> {
  const reply = await root.methods.verifyCache(caller, `/caches/${name}` as RootPath);
  return reply.admitted && reply.value.ok && reply.value.value.valid;
}

function question(query: string, budget: number) {
  const parsed = parseQuestion({ query, budget });
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value;
}

async function textOf(answer: ReturnType<TestRoot["methods"]["resolveCache"]>): Promise<string> {
  const reply = await answer;
  if (!reply.admitted) throw new Error(reply.refusal);
  return reply.value.ok ? reply.value.value : reply.value.error.code;
}

import {
  documentFile,
  documentText,
  indexText,
  manifestText,
} from "../../src/domain/context/cache-format";
import { parseQuestion } from "../../src/domain/context/question";
import { compareUtf8 } from "../../src/domain/byte-order";
import { sha256Hex } from "../../src/domain/hash";
import type { RootPath } from "../../src/domain/path";
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
  return textOf(root.stub.resolveCache(caller, `/caches/${name}` as RootPath, question(query, budget)));
}

export async function plan(root: TestRoot, name: string, query: string, budget: number): Promise<string> {
  return textOf(root.stub.planCache(caller, `/caches/${name}` as RootPath, question(query, budget)));
}

function question(query: string, budget: number) {
  const parsed = parseQuestion({ query, budget });
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value;
}

async function textOf(answer: ReturnType<TestRoot["stub"]["resolveCache"]>): Promise<string> {
  const reply = await answer;
  if (!reply.admitted) throw new Error(reply.refusal);
  return reply.value.ok ? reply.value.value : reply.value.error.code;
}

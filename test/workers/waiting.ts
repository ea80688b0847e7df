import { expect } from "vitest";
import { sha256Hex } from "../../src/domain/hash";
import type { RootState } from "../../src/root/root-state";
import { okValue, type TestRoot } from "./root";

/** How many edits wait in the journal: as the object has it in memory, which is what its rows say. Nothing is settled by this look. */
export function waitingIn(root: TestRoot): Promise<number> {
  return root.inObject((instance, state) => {
    const { journal } = (instance as unknown as { root: RootState }).root;
    const { n } = state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM edit_journal").one();
    if (n !== journal.waiting.length) throw new Error(`${n} rows, ${journal.waiting.length} in memory`);
    return n;
  });
}

/** Appends each of the pieces; gives all hashes, that of the beginning first. */
export async function chainOf(
  root: TestRoot,
  path: string,
  beginning: string,
  pieces: readonly string[],
): Promise<string[]> {
  const hashes: string[] = [okValue(await root.create(path, beginning))];
  for (const piece of pieces) hashes.push(okValue(await root.append(path, hashes.at(-1) ?? "", piece)).hash);
  return hashes;
}

/** The content, which has the hash that it comes with. */
export async function contentOf(root: TestRoot, path: string): Promise<string> {
  const { content, hash } = okValue(await root.read(path));
  expect(hash).toBe(sha256Hex(content));
  return content;
}

/** A file with two edits that wait; gives its hashes. */
export async function edited(root: TestRoot, path = "/a"): Promise<[string, string, string]> {
  const first = okValue(await root.create(path, "0\n"));
  okValue(await root.read(path));
  const second = okValue(await root.append(path, first, "1\n")).hash;
  const third = okValue(await root.append(path, second, "2\n")).hash;
  expect(await waitingIn(root)).toBe(2);
  return [first, second, third];
}

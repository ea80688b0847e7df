/** Every storage call that makes the tables of an object fails once: none is left half made, and the next try makes them all. */
import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { applySchema } from "../../../src/root/store/schema";
import { clock } from "../clock";
import { freshFaultyRoot, okValue, type TestRoot } from "../root";
import { callsOf, everyFault, withFault } from "./failing";

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("a storage call that fails while the tables are made", () => {
  it("leaves none of them half made: the next try makes them all", async () => {
    const names = await callsOf(await withoutTables(), makeTables);
    expect(names).toContain("exec CREATE TABLE nodes");
    for (const fault of everyFault(names)) {
      const root = await withoutTables();
      expect(await withFault(root, fault, makeTables)).toBeInstanceOf(Error);
      const committed = fault.name === "transaction" && fault.moment === "after";
      expect((await tablesOf(root)).length > 0).toBe(committed);

      await root.evict();
      const hash = okValue(await root.create("/a/b", "content\n"));
      const read = okValue(await root.read("/a/b"));
      expect([read.hash, read.content]).toEqual([hash, "content\n"]);
      await root.expectSound();
    }
  });

  it("is one of few for an object that has its tables: it looks which step it is at, and no more", async () => {
    const root = freshFaultyRoot();
    await root.usage();
    const names = await callsOf(root, makeTables);
    expect(names).toEqual(["transaction", "exec CREATE TABLE IF", "exec SELECT value FROM"]);
  });
});

async function withoutTables(): Promise<TestRoot> {
  const root = freshFaultyRoot();
  await runInDurableObject(root.stub, (_, { storage }) => storage.deleteAll());
  expect(await tablesOf(root)).toEqual([]);
  return root;
}

async function makeTables(inside: TestRoot): Promise<void> {
  await inside.inObject((_, { storage }) => applySchema(storage));
}

function tablesOf(root: TestRoot) {
  return root.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'");
}

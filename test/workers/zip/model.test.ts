// A zip session against a plain model of it: generated sequences of edits, syncs, closes and changes of the source, with evictions and
// sweeps in between. Not here: archives of others (programs/), calls at the same time (races.test.ts).
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { counts, seed } from "../../counts";
import { zipOf } from "../../harness/zip-builder";
import { clock, hourMs } from "../clock";
import { freshRoot, okValue } from "../root";
import { SessionModel } from "./session-model";
import { codeOf, good, source, ZipObject } from "./zip-object";

afterAll(() => vi.useRealTimers());

const path = fc.constantFrom("a", "b", "d", "d/a", "d/e/f");
const text = fc.constantFrom("", "one", "two", "the same words again and again ".repeat(20));
const files = fc.dictionary(fc.constantFrom("a", "b", "d/a", "d/e/f"), text, { noNullPrototype: true });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), path }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("sync" as const), force: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), syncs: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("replace source" as const), files }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("remove source", "evict", "sweep") }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Run {
  readonly zip = new ZipObject(freshRoot());
  readonly model = new SessionModel();

  async replaceSource(content: Record<string, string>): Promise<void> {
    await this.removeSource();
    const entries = Object.entries(content).map(([name, data]) => ({ name, data }));
    this.model.put(okValue(await this.zip.root.create(source, zipOf(entries))), new Map(Object.entries(content)));
  }

  async removeSource(): Promise<void> {
    if (this.model.source !== null) okValue(await this.zip.root.remove(source, this.model.source));
    this.model.source = null;
  }

  async take(step: Step): Promise<void> {
    const { zip, model } = this;
    switch (step.kind) {
      case "write": {
        const isPossible = model.write(step.path, step.text);
        expect(codeOf(await zip.write(step.path, step.text))).toBe(isPossible ? "ok" : "INVALID_PARAMS");
        return;
      }
      case "delete": {
        const isThere = model.delete(step.path);
        expect(codeOf(await zip.delete(step.path))).toBe(isThere ? "ok" : "PATH_NOT_FOUND");
        return;
      }
      case "sync":
        return this.sync(step.force);
      case "close":
        return this.close(step.syncs);
      case "replace source":
        return this.replaceSource(step.files);
      case "remove source":
        return this.removeSource();
      case "evict":
        return zip.root.evict();
      case "sweep":
        clock.advance(3 * hourMs);
        await zip.root.ring();
    }
  }

  private async sync(force: boolean): Promise<void> {
    const { zip, model } = this;
    const verdict = model.verdict(force);
    const counted = model.unsynced();
    const answer = await zip.sync(force);
    if (verdict === "written") {
      const backupPath = model.source === null ? "" : "/z.bak.zip";
      const synced = good(answer);
      expect(synced).toMatchObject({ unchanged: false, ...counted, backupPath });
      model.written(synced.zipHash);
    } else if (verdict === null) {
      expect(good(answer)).toMatchObject({ unchanged: true, backupPath: "", modified: 0, added: 0, deleted: 0 });
    } else expect(codeOf(answer)).toBe(verdict);
  }

  private async close(syncs: boolean): Promise<void> {
    const { zip, model } = this;
    const verdict = syncs ? model.verdict(false) : null;
    const discarded = syncs ? { modified: 0, added: 0, deleted: 0 } : model.unsynced();
    const answer = await zip.close(syncs);
    if (verdict !== null && verdict !== "written") {
      expect(codeOf(answer)).toBe(verdict);
      return;
    }
    expect(good(answer)).toEqual({ synced: syncs, ...discarded });
    if (verdict === "written") model.written((await zip.sourceHash()) ?? "");
    model.session = null;
    if (model.source === null) await this.replaceSource({ a: "one" });
    good(await zip.open());
    model.open();
  }

  async expectSame(): Promise<void> {
    const { zip, model } = this;
    expect(await zip.sourceHash()).toBe(model.source);
    const backups = await zip.root.sql<{ blob: string }>(
      "SELECT blob FROM nodes WHERE path GLOB '/z.bak*' ORDER BY length(path), path",
    );
    expect(backups.map(({ blob }) => blob)).toEqual(model.backups);
    const { modified, added, deleted } = good(await zip.status());
    expect({ modified: modified.length, added: added.length, deleted: deleted.length }).toEqual(model.changed());
    for (const [file, content] of model.current().files) expect(good(await zip.read(file)).content).toBe(content);
    expect(await zip.sessions()).toMatchObject([{ state: "open", currentFiles: model.current().files.size }]);
  }
}

describe("a zip session and the model of one", () => {
  it(`are alike through ${counts.zipSequences} sequences of up to 25 steps, and check finds nothing (HOLDFAST_SEED=${seed})`, {
    timeout: 30 * 60_000,
  }, async () => {
    const property = fc.asyncProperty(files, fc.array(step, { maxLength: 25 }), async (first, steps) => {
      clock.reset();
      const run = new Run();
      await run.replaceSource(first);
      good(await run.zip.open());
      run.model.open();
      for (const one of steps) {
        await run.take(one);
        await run.expectSame();
      }
      await run.zip.root.expectSound();
    });
    await fc.assert(property, { seed, numRuns: counts.zipSequences });
  });
});

import { createHash } from "node:crypto";
import { expect } from "vitest";
import { fingerprintOf } from "../../../src/domain/fingerprint";
import type { GitOid } from "../../../src/domain/git-objects";
import type { RootPath } from "../../../src/domain/path";
import { clock } from "../clock";
import { freshRoot, type TestRoot } from "../root";
import { compare, type Kind } from "./compare";
import { bytesOf, editOf, hashCited, pathOf, upFrom } from "./resolve";
import { hashOf, ModelRoot } from "./root";
import type { Place, Sequence, Step } from "./steps";

/** Takes every step of the sequence in a fresh object and in the model; fails where they differ. Tells how each call went. */
export async function runSequence({ paths, steps }: Sequence): Promise<Kind[]> {
  clock.reset();
  const run = new Run(paths);
  for (const step of steps) await run.take(step);
  await run.finish();
  return run.kinds;
}

class Run {
  readonly kinds: Kind[] = [];
  private readonly root: TestRoot = freshRoot();
  private readonly model = new ModelRoot();
  /** The last operation, with the arguments that it had. */
  private again: () => Promise<Kind | undefined> = async () => undefined;

  constructor(private readonly paths: readonly string[]) {}

  async take(step: Step): Promise<void> {
    const kind = await this.outcome(step);
    if (kind !== undefined) this.kinds.push(kind);
  }

  async finish(): Promise<void> {
    await this.compareUsage();
    const { files, directories } = this.model;
    const nodes = await this.root.sql<{ path: string; blob: string | null }>("SELECT path, blob FROM nodes");
    const expected = new Map<string, string | null>([...directories].map((path) => [path, null]));
    for (const [path, bytes] of files) expected.set(path, hashOf(bytes));
    expect(new Map(nodes.map(({ path, blob }) => [path, blob]))).toEqual(expected);

    const live = [...files].map(([path, bytes]) => ({ path: path as RootPath, oid: gitBlobOid(bytes) }));
    expect(await this.root.fingerprint()).toEqual(fingerprintOf(live));
    await this.root.expectSound();
  }

  private async outcome(step: Step): Promise<Kind | undefined> {
    switch (step.do) {
      case "create":
      case "remove":
      case "replace":
      case "insert":
      case "append":
        this.again = this.operation(step);
        return this.again();
      case "retry":
        return this.again();
      case "read":
        return this.read(this.path(step.place), step);
      case "list":
        return this.list(upFrom(this.path(step.place), step.up), step);
      case "advance":
        clock.advance(step.ms);
        return undefined;
      case "evict":
        await this.compareUsage();
        await this.root.evict();
        return undefined;
      case "ring":
        await this.root.ring();
        // A cached id that is wrong shows only once it is there.
        await this.root.fingerprint();
        return undefined;
    }
  }

  private operation(step: Extract<Step, { place: Place }>): () => Promise<Kind> {
    const { root, model, paths } = this;
    const path = this.path(step.place);
    if (step.do === "create") {
      const bytes = bytesOf(step.content);
      return async () => compare(await root.create(path, bytes), model.create(path, bytes));
    }
    if (step.do === "read" || step.do === "list") throw new Error(`${step.do} changes nothing`);
    const cited = hashCited(model, paths, path, step.cite);
    if (step.do === "remove") {
      return async () => compare(await root.remove(path, cited), model.remove(path, cited, Date.now()));
    }
    const edit = editOf(model, path, step);
    return async () => compare(await root.edit(path, cited, edit), model.edit(path, cited, edit, Date.now()));
  }

  private async read(path: string, { lines }: Extract<Step, { do: "read" }>): Promise<Kind> {
    return compare(await this.root.read(path, lines), this.model.read(path, lines));
  }

  private async list(path: string, { limit, offset }: Extract<Step, { do: "list" }>): Promise<undefined> {
    expect(await this.root.list(path, limit, offset)).toEqual(this.model.list(path, limit, offset));
  }

  private async compareUsage(): Promise<void> {
    const { files, directories } = this.model;
    const bytes = [...files.values()].reduce((sum, one) => sum + one.length, 0);
    expect(await this.root.usage()).toEqual({ files: files.size, directories: directories.size, bytes });
  }

  private path(place: Place): string {
    return pathOf(this.model, this.paths, place);
  }
}

function gitBlobOid(bytes: Uint8Array): GitOid {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex") as GitOid;
}

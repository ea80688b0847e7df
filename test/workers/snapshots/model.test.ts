/**
 * Leases, snapshots, patches, deletions and restores against a plain model: generated sequences, each in a fresh object, with evictions and alarms
 * in between. After every step the fingerprint is the one that a root made from scratch would have. Edits by the text family: ../model.
 */
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { diffFile } from "../../../src/domain/diff";
import { canonicalFingerprint, fingerprintOf } from "../../../src/domain/fingerprint";
import { gitBlobId } from "../../../src/domain/git-objects";
import type { LeaseId } from "../../../src/domain/lease";
import type { SnapshotId } from "../../../src/domain/manifest";
import type { RootPath } from "../../../src/domain/path";
import { counts, seed } from "../../counts";
import { clock, hourMs } from "../clock";
import { SnapshotTestRoot, value } from "./snapshot-root";

type Files = ReadonlyMap<string, string>;

const path = fc.constantFrom("/a", "/b", "/d/a", "/d/b", "/d/e/f", "/～", "/😀", "/é", "/e\u0301");
const content = fc.constantFrom("", "one\n", "two\n", "three", "\ufeffx\r\n");
const pick = fc.nat(20);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("write" as const), path, content, lease: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("delete" as const),
      path: fc.oneof(path, fc.constant("/d")),
      lease: pick,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("patch" as const), path, content, lease: fc.option(pick) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("patch-snapshot" as const), path, content, snapshot: pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("look" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("capture" as const), whole: fc.boolean(), lease: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("restore" as const),
      snapshot: pick,
      extra: fc.boolean(),
      lease: pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("evict" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("chores" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Mutated {
  readonly ok: boolean;
  readonly value?: { readonly receipt: { readonly leaseId: LeaseId } };
  readonly error?: unknown;
}

interface KnownLease {
  readonly id: LeaseId;
  readonly state: string;
  readonly touched: ReadonlySet<string>;
}

/** A patch that makes the one of the other, null for no file. */
function patchOf(at: string, before: string | null, after: string): string {
  const side = (text: string | null) =>
    text === null ? null : { oid: gitBlobId(new TextEncoder().encode(text)), text };
  return diffFile(at as RootPath, side(before), side(after), 1_000_000)?.text ?? "";
}

/** What a fingerprint of these files must be. */
function stateOf(files: Files): string {
  const live = [...files].map(([at, text]) => ({
    path: at as RootPath,
    oid: gitBlobId(new TextEncoder().encode(text)),
  }));
  return canonicalFingerprint(fingerprintOf(live));
}

class Run {
  private readonly subject = new SnapshotTestRoot();
  private files: Files = new Map();
  private readonly leases: KnownLease[] = [];
  private readonly snapshots: { readonly id: SnapshotId; readonly files: Files }[] = [];
  refusals = 0;

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case "write":
        return this.mutate(one.lease, new Map(this.files).set(one.path, one.content), [one.path], (lease) =>
          this.subject.write(one.path, one.content, lease),
        );
      case "delete": {
        const gone = [...this.files.keys()].filter((at) => at === one.path || at.startsWith(`${one.path}/`));
        const left = new Map([...this.files].filter(([at]) => !gone.includes(at)));
        if (gone.length === 0) return;
        return this.mutate(one.lease, left, gone, (lease) => this.subject.delete(one.path, lease));
      }
      case "patch":
        return this.patch(one.path, one.content, one.lease);
      case "patch-snapshot":
        return this.patchSnapshot(one.path, one.content, one.snapshot);
      case "look": {
        const { receipt, value: page } = value(await this.subject.list());
        const found = page.entries.filter((entry) => entry.type === "file").map((entry) => entry.path as string);
        expect(found).toEqual([...this.files.keys()].sort(compareBytes));
        if (receipt.mode === "worktree") this.learn(receipt.leaseId, new Set(found));
        return;
      }
      case "capture":
        return this.capture(one.whole, one.lease);
      case "restore":
        return this.restore(one.snapshot, one.extra, one.lease);
      case "evict":
        // Only what runs can be evicted.
        await this.subject.root.fingerprint();
        return this.subject.root.evict();
      case "chores":
        clock.advance(hourMs);
        await this.subject.root.doChores();
    }
  }

  async finish(): Promise<void> {
    for (const { id, files } of this.snapshots) {
      const { value: page } = value(await this.subject.list(this.subject.view(null, id)));
      const found = page.entries.filter((entry) => entry.type === "file").map((entry) => entry.path as string);
      expect(found).toEqual([...files.keys()].sort(compareBytes));
      for (const [at, text] of files) {
        const read = value(await this.subject.read(at, this.subject.view(null, id)));
        expect(new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(read.value.bytes)).toBe(text);
      }
    }
    await this.subject.root.expectSound();
  }

  /** A mutator under a known lease: refused if the state is another, otherwise the files are `after`. */
  private async mutate(
    pickLease: number,
    after: Files,
    touched: readonly string[],
    call: (lease: LeaseId) => Promise<Mutated>,
  ): Promise<void> {
    const lease = this.lease(pickLease) ?? (await this.newLease());
    const answer = await call(lease.id);
    if (lease.state !== stateOf(this.files)) {
      expect(answer).toMatchObject({ ok: false, error: { code: "STALE_LEASE" } });
      this.refusals++;
    } else {
      expect(answer.ok, JSON.stringify(answer)).toBe(true);
      this.files = after;
      if (answer.value) this.learn(answer.value.receipt.leaseId, new Set([...lease.touched, ...touched]));
    }
    expect(canonicalFingerprint(await this.subject.root.fingerprint())).toBe(stateOf(this.files));
  }

  /** Without a lease, a patch is judged by the files alone. */
  private async patch(at: string, text: string, pickLease: number | null): Promise<void> {
    const before = this.files.get(at) ?? null;
    const patch = patchOf(at, before, text);
    if (patch === "") return;
    const after = new Map(this.files).set(at, text);
    const call = async (lease: LeaseId | null): Promise<Mutated> => {
      const answer = await this.subject.patch(patch, this.subject.view(lease));
      if (!answer.ok) return answer;
      const { receipt, value: outcome } = answer.value;
      expect(outcome).toEqual({ applied: [at], rejects: [] });
      if (receipt.mode !== "worktree") throw new Error("no lease");
      return { ok: true, value: { receipt } };
    };
    if (pickLease !== null) return this.mutate(pickLease, after, [at], call);
    const { value: done } = await call(null);
    this.files = after;
    if (done) this.learn(done.receipt.leaseId, new Set([at]));
    // What was just applied does not fit any more; only lines into an empty file always do.
    if (before !== "") expect(value(await this.subject.patch(patch)).value.applied).toEqual([]);
    expect(canonicalFingerprint(await this.subject.root.fingerprint())).toBe(stateOf(this.files));
  }

  private async patchSnapshot(at: string, text: string, pickSnapshot: number): Promise<void> {
    const base = this.snapshots[pickSnapshot % Math.max(1, this.snapshots.length)];
    const patch = base === undefined ? "" : patchOf(at, base.files.get(at) ?? null, text);
    if (base === undefined || patch === "") return;
    const { receipt, value: outcome } = value(await this.subject.patch(patch, this.subject.view(null, base.id)));
    expect(outcome).toEqual({ applied: [at], rejects: [] });
    if (receipt.mode !== "snapshot") throw new Error("no snapshot");
    this.snapshots.push({ id: receipt.snapshotId, files: new Map(base.files).set(at, text) });
    expect(canonicalFingerprint(await this.subject.root.fingerprint())).toBe(stateOf(this.files));
  }

  private async capture(whole: boolean, pickLease: number): Promise<void> {
    const lease = whole ? undefined : this.lease(pickLease);
    const answer = await this.subject.capture(lease === undefined ? ["/"] : null, lease?.id ?? null);
    if (lease !== undefined && lease.state !== stateOf(this.files)) {
      expect(answer).toMatchObject({ ok: false, error: { code: "STALE_LEASE" } });
      return;
    }
    const captured = new Map([...this.files].filter(([at]) => lease === undefined || lease.touched.has(at)));
    const { snapshotId, files } = value(answer);
    expect(files).toBe(captured.size);
    this.snapshots.push({ id: snapshotId, files: captured });
  }

  private async restore(pickSnapshot: number, extra: boolean, pickLease: number): Promise<void> {
    const snapshot = this.snapshots[pickSnapshot % Math.max(1, this.snapshots.length)];
    if (snapshot === undefined) return;
    const kept = extra ? [] : [...this.files];
    const after = new Map([...kept, ...snapshot.files]);
    const changed = [...snapshot.files].filter(([at, text]) => this.files.get(at) !== text).map(([at]) => at);
    const gone = [...this.files.keys()].filter((at) => !after.has(at));
    await this.mutate(pickLease, after, [...changed, ...gone], (lease) =>
      this.subject.restore(snapshot.id, lease, extra),
    );
  }

  private async newLease(): Promise<KnownLease> {
    return this.learn(await this.subject.lease(), new Set());
  }

  private learn(id: LeaseId, touched: ReadonlySet<string>): KnownLease {
    const lease = { id, state: stateOf(this.files), touched };
    this.leases.push(lease);
    return lease;
  }

  /** Mostly the newest, sometimes an old one. */
  private lease(choice: number): KnownLease | undefined {
    return choice < 15 ? this.leases.at(-1) : this.leases[choice % Math.max(1, this.leases.length)];
  }
}

function compareBytes(left: string, right: string): number {
  const encoder = new TextEncoder();
  const [a, b] = [encoder.encode(left), encoder.encode(right)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}

beforeEach(() => {
  clock.reset();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("leases and snapshots, and a model of them", () => {
  it(`agree in ${counts.snapshotSequences} sequences of up to 40 steps, and check finds nothing (HOLDFAST_SEED=${seed})`, {
    timeout: 30 * 60_000,
  }, async () => {
    let refusals = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const run = new Run();
      for (const one of steps) await run.take(one);
      await run.finish();
      refusals += run.refusals;
    });
    await fc.assert(property, { seed, numRuns: counts.snapshotSequences });
    expect(refusals).toBeGreaterThan(0);
  });
});

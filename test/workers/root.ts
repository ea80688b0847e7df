import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { callerOf } from "../../src/domain/caller";
import type { Fingerprint } from "../../src/domain/fingerprint";
import type { Sha256 } from "../../src/domain/hash";
import type { LineRange } from "../../src/domain/lines";
import { type MaybePacked, unpack } from "../../src/domain/packed";
import type { RootPath } from "../../src/domain/path";
import type { Result } from "../../src/domain/result";
import type { TextError } from "../../src/domain/text-errors";
import type { CheckReport, Listing, Reply, RootUsage, TextEdit, TextEdited, TextRead } from "../../src/root/contract";
import type { RootObject } from "../../src/root/root-object";
import type { RootState } from "../../src/root/root-state";

export const callerFacts = { clientId: "test" };
export const caller = callerOf(callerFacts);

type Row = Record<string, SqlStorageValue>;

type RootMethods = Pick<
  DurableObjectStub<RootObject>,
  | "createFile"
  | "removeFile"
  | "editText"
  | "readText"
  | "list"
  | "usage"
  | "fingerprint"
  | "check"
  | "resolveCache"
  | "planCache"
  | "verifyCache"
  | "inspectCache"
  | "listCaches"
  | "buildCache"
>;

/** A user's root through its RPC methods, and with a way into its tables. */
export class TestRoot {
  constructor(
    readonly stub: DurableObjectStub<RootObject>,
    /** Set inside the object. */
    private readonly inner?: { readonly instance: RootObject; readonly state: DurableObjectState },
  ) {}

  /** Runs `work` inside the object. */
  async inObject<T>(work: (instance: RootObject, state: DurableObjectState) => T | Promise<T>): Promise<T> {
    return this.inner === undefined ? runInDurableObject(this.stub, work) : work(this.inner.instance, this.inner.state);
  }

  /** Calls the methods from inside the object: what they throw comes as a value, and not as the end of an RPC. */
  attempt<T>(operation: (inside: TestRoot) => Promise<T>): Promise<T | Error> {
    return this.inObject((instance, state) =>
      operation(new TestRoot(this.stub, { instance, state })).catch((error: Error) => error),
    );
  }

  /** Of the object itself from inside, otherwise by RPC. */
  get methods(): RootMethods {
    return this.inner === undefined ? this.stub : (this.inner.instance as unknown as RootMethods);
  }

  get id(): string {
    return this.stub.id.toString();
  }

  create(path: string, content: string | Uint8Array): Promise<Result<Sha256, TextError>> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return admitted(this.methods.createFile(caller, path as RootPath, bytes));
  }

  remove(path: string, hash: string): Promise<Result<null, TextError>> {
    return admitted(this.methods.removeFile(caller, path as RootPath, hash as Sha256));
  }

  edit(path: string, hash: string, edit: TextEdit): Promise<Result<TextEdited, TextError>> {
    return admitted(this.methods.editText(caller, path as RootPath, hash as Sha256, edit));
  }

  append(path: string, hash: string, content: string): Promise<Result<TextEdited, TextError>> {
    return this.edit(path, hash, { kind: "append", content });
  }

  /** Everything of the file gives way to `content`. */
  async rewrite(path: string, hash: string, content: string): Promise<Result<TextEdited, TextError>> {
    const old = okValue(await this.read(path, [1, 0])).content;
    return this.edit(path, hash, { kind: "replace", lines: [1, 0], old, new: content });
  }

  async read(path: string, lines: LineRange | null = null): Promise<Result<TextRead, TextError>> {
    const read = await this.readUnless(null, path, lines);
    if (!read.ok) return read;
    if (read.value === null) throw new Error("No version was named, and yet it is unchanged.");
    return { ok: true, value: read.value };
  }

  /** Null: the file has the version that is known. */
  readUnless(
    known: Sha256 | null,
    path: string,
    lines: LineRange | null = null,
  ): Promise<Result<TextRead | null, TextError>> {
    return admitted(this.methods.readText(caller, path as RootPath, lines, known));
  }

  list(path: string, limit = 1000, offset = 0): Promise<Listing> {
    return admitted(this.methods.list(caller, path as RootPath, limit, offset));
  }

  usage(): Promise<RootUsage> {
    return admitted(this.methods.usage(caller));
  }

  fingerprint(): Promise<Fingerprint> {
    return admitted(this.methods.fingerprint(caller));
  }

  check(): Promise<CheckReport> {
    return this.methods.check();
  }

  /** Ends the object in memory; what it has stored is all that the next call finds. */
  evict(): Promise<void> {
    return evictDurableObject(this.stub);
  }

  /** Rings the alarm now if it is set; says whether it was. */
  ring(): Promise<boolean> {
    return runDurableObjectAlarm(this.stub);
  }

  /** Does the work of the alarm, set or not: the runtime does so again when it fails. */
  doChores(): Promise<unknown> {
    return this.inObject((instance) => instance.alarm().catch((error: unknown) => error));
  }

  alarmAt(): Promise<number | null> {
    return this.inObject((_, state) => state.storage.getAlarm());
  }

  /** The tables with all edits in them. After a change the object has to learn again what it knew of them by heart. */
  sql<T extends Row = Row>(query: string, ...bindings: SqlStorageValue[]): Promise<T[]> {
    return this.inObject((instance, state) => {
      const { root } = instance as unknown as { root: RootState };
      root.settle();
      const rows = state.storage.sql.exec<T>(query, ...bindings).toArray();
      if (!/^\s*SELECT/.test(query)) root.tree.undone();
      return rows;
    });
  }

  /** The keys of everything that the user has in R2. */
  async objectKeys(): Promise<string[]> {
    const { objects, truncated } = await env.BLOBS.list({ prefix: `u/${this.id}/` });
    expect(truncated).toBe(false);
    return objects.map(({ key }) => key);
  }

  /** The invariants of storage: `check` finds nothing, and no object in R2 is unknown to the tables. */
  async expectSound(): Promise<void> {
    const { problemCount, problems } = await this.check();
    expect({ problemCount, problems }).toEqual({ problemCount: 0, problems: [] });
    const known = await this.sql<{ r2_key: string }>(
      "SELECT r2_key FROM blobs WHERE r2_key IS NOT NULL UNION SELECT r2_key FROM stray_objects",
    );
    const keys = new Set(known.map((row) => row.r2_key));
    expect((await this.objectKeys()).filter((key) => !keys.has(key))).toEqual([]);
  }
}

export function freshRoot(): TestRoot {
  return new TestRoot(env.ROOT.get(env.ROOT.newUniqueId()));
}

/** A root whose storage calls can be interfered with. */
export function freshFaultyRoot(): TestRoot {
  return new TestRoot(env.FAULTY_ROOT.get(env.FAULTY_ROOT.newUniqueId()));
}

/** The value of a call that must have gone well. */
export function okValue<T>(result: Result<T, TextError>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

async function admitted<T>(call: PromiseLike<MaybePacked<Reply<T>>>): Promise<T> {
  const reply = unpack<Reply<T>>(await call);
  if (!reply.admitted) throw new Error(`refused: ${reply.refusal}`);
  return reply.value;
}

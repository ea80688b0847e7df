// Zip sessions through the methods of the user's object itself, without HTTP and MCP.
import type { RootPath } from "../../../src/domain/path";
import { parseScopes } from "../../../src/domain/scopes";
import type { Reply } from "../../../src/root/contract";
import type { RootObject } from "../../../src/root/root-object";
import { type EntrySpec, zipOf } from "../../harness/zip-builder";
import { caller, okValue, type TestRoot } from "../root";

const scopes = parseScopes("write:/");
export const source = "/z.zip" as RootPath;

/** A call as it comes over the wire: a value or a code. */
export type Answer<T> = { ok: true; value: T } | { ok: false; error: { code: string; message?: string } };

export class ZipObject {
  constructor(readonly root: TestRoot) {}

  private get stub(): DurableObjectStub<RootObject> {
    // From inside the object where a test is there, otherwise by RPC.
    return this.root.methods as unknown as DurableObjectStub<RootObject>;
  }

  async put(entries: readonly EntrySpec[]): Promise<string> {
    return okValue(await this.root.create(source, zipOf(entries)));
  }

  open(name: string | null = "s", path: string = source) {
    return told(this.stub.openZip(caller, { path: path as RootPath, name }, null));
  }

  write(path: string, content: string | Uint8Array) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return told(
      this.stub.writeWorkspaceFile(caller, {
        session: null,
        scopes,
        path,
        bytes,
        createsDirectories: true,
        hash: null,
      }),
    );
  }

  read(path: string) {
    const range = { encoding: null, offset: 0, limit: 1000 };
    return told(this.stub.readWorkspaceFile(caller, { session: null, scopes, path, ...range }));
  }

  delete(path: string) {
    return told(this.stub.deleteFromWorkspace(caller, { session: null, scopes, path, recursive: true }));
  }

  sync(force = false) {
    return told(this.stub.syncZip(caller, { session: null, scopes, force }, null));
  }

  close(syncs = false) {
    return told(this.stub.closeZip(caller, { session: null, scopes, syncs }, null));
  }

  status() {
    return told(this.stub.zipStatus(caller, { session: null, scopes }));
  }

  closeOf(session: string) {
    return told(this.stub.closeZip(caller, { session, scopes, syncs: false }, null));
  }

  prune(staleMs: number | null = null, all = false) {
    return told(this.stub.pruneZipSessions(caller, { all, staleMs, dryRun: false }));
  }

  sessions() {
    return told(this.stub.listZipSessions(caller));
  }

  /** The hash of the source; null if it is gone. */
  async sourceHash(): Promise<string | null> {
    const rows = await this.root.sql<{ blob: string }>("SELECT blob FROM nodes WHERE path = ?", source);
    return rows[0]?.blob ?? null;
  }
}

async function told<T>(call: PromiseLike<Reply<T>>): Promise<T> {
  const reply = await call;
  if (!reply.admitted) throw new Error(`refused: ${reply.refusal}`);
  return reply.value;
}

/** The value of an answer that must have gone well. */
export function good<T>(answer: { ok: true; value: T } | { ok: false; error: { code: string; message?: string } }): T {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message ?? ""}`);
  return answer.value;
}

export function codeOf(answer: { ok: boolean; error?: { code: string } }): string {
  return answer.ok ? "ok" : (answer.error?.code ?? "");
}

/** More than is stored with the tree, so that its archive goes to object storage. */
export function noise(bytes: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => ((at + seed) * 2654435761) >>> 13);
}

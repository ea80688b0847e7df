// One signed-in user and the tools of the snapshot family, in either era.
import { type SignInOptions, signIn, ToolRoot } from "../harness/tool-root";

export { type Era, eras } from "../harness/tool-root";

export interface Fingerprint {
  readonly head_oid: string;
  readonly index_oid: string;
  readonly status_hash: string;
}

interface Worktree {
  readonly mode?: "worktree" | "snapshot";
  readonly lease_id: string;
  readonly fingerprint: Fingerprint;
  readonly snapshot_id: string;
  readonly cache_hint: string;
}

export interface Entry {
  readonly path: string;
  readonly type: "file" | "dir";
  readonly size?: number;
  readonly sha?: string;
}

export interface Rejected {
  readonly path: string;
  readonly hunks: readonly { readonly index: number; readonly reason: string; readonly found?: string | null }[];
}

interface Outputs {
  "root.info": { readonly used: { readonly files: number; readonly bytes: number } };
  "file.create": { readonly hash: string };
  "file.remove": object;
  "text.read": { readonly content: string; readonly hash: string };
  "text.append": { readonly hash: string };
  "snapshot.create": Worktree & { readonly files: number; readonly total_bytes: number; readonly hint?: string };
  "snapshot.list": Worktree & {
    readonly path: string;
    readonly entries: readonly Entry[];
    readonly total: number;
    readonly truncated: boolean;
  };
  "snapshot.file": Worktree & {
    readonly path: string;
    readonly kind: string;
    readonly encoding: string;
    readonly content: string;
    readonly size: number;
    readonly sha: string;
    readonly hash: string;
    readonly eol?: string;
  };
  "snapshot.grep": Worktree & {
    readonly matches: readonly {
      readonly path: string;
      readonly lines: readonly { readonly line: number; readonly col: number; readonly text: string }[];
    }[];
    readonly files_searched: number;
    readonly truncated: boolean;
  };
  "snapshot.diff": Worktree & {
    readonly from_snapshot_id: string | null;
    readonly diff: string;
    readonly stats: { readonly files: number; readonly added: number; readonly removed: number };
  };
  "snapshot.changes": Worktree & {
    readonly from_snapshot_id: string | null;
    readonly changes: readonly { readonly path: string; readonly status: string; readonly from?: string }[];
    readonly counts: Readonly<Record<string, number>>;
    readonly total: number;
    readonly truncated: boolean;
  };
  "snapshot.info": Worktree & {
    readonly manifest_stats: { readonly files: number; readonly total_bytes: number };
    readonly manifest_hash: string;
    readonly derived_from: string | null;
    readonly applied_patch_hash: string | null;
  };
  "snapshot.export": Worktree & {
    readonly bundle: string;
    readonly summary: { readonly files: number; readonly bundle_bytes: number; readonly bundle_sha256: string };
  };
  "workspace.apply_patch": Worktree & {
    readonly applied: readonly { readonly path: string; readonly status: string }[];
    readonly rejects: readonly Rejected[];
    readonly dry_run: boolean;
  };
  "workspace.write_file": Worktree & {
    readonly written: boolean;
    readonly created: boolean;
    readonly size: number;
    readonly hash: string;
  };
  "workspace.delete": Worktree & { readonly deleted: boolean; readonly files: number };
  "workspace.restore": Worktree & {
    readonly restored: readonly string[];
    readonly deleted: readonly string[];
    readonly unchanged: number;
  };
}

export type SnapshotTool = keyof Outputs;

export class SnapshotRoot extends ToolRoot<Outputs> {
  static async signIn(options: SignInOptions = {}): Promise<SnapshotRoot> {
    return new SnapshotRoot(await signIn(options));
  }

  /** Creates files from text or bytes, paths relative to the root. */
  async create(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const args =
        typeof content === "string"
          ? { path, content }
          : { path, content: Buffer.from(content).toString("base64"), encoding: "base64" };
      await this.ok("file.create", args);
    }
  }

  async snapshot(paths: readonly string[] = ["."]): Promise<string> {
    return (await this.ok("snapshot.create", { paths })).snapshot_id;
  }

  /** A lease on the tree as it is now, which has seen nothing. */
  async lease(): Promise<string> {
    return (await this.ok("snapshot.list", { path: "nothing-is-here" })).lease_id;
  }

  async fingerprint(): Promise<Fingerprint> {
    return (await this.ok("snapshot.list", { path: "nothing-is-here" })).fingerprint;
  }

  async write(path: string, content: string, options: object = {}): Promise<void> {
    await this.ok("workspace.write_file", {
      path,
      content,
      lease_id: await this.lease(),
      create_dirs: true,
      ...options,
    });
  }
}

export function bytesOfBundle(bundle: string): Uint8Array {
  return Uint8Array.from(Buffer.from(bundle.slice("base64:".length), "base64"));
}

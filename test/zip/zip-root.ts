// One signed-in user, the zip tools, and archives put into the root by PUT /files.
import { expect } from "vitest";
import { type Connection, type SignInOptions, signIn, ToolRoot } from "../harness/tool-root";
import { type EntrySpec, zipOf } from "../harness/zip-builder";

export interface Opened {
  session_id: string;
  name: string;
  workspace_path: string;
  file_count: number;
  extracted_size_bytes: number;
  repo_path: string;
  source_path: string;
  zip_hash: string;
  warnings: { entry: string; reason: string }[];
}

export interface Changes {
  modified: string[];
  added: string[];
  deleted: string[];
}

export interface Outputs {
  zipfs_open: Opened;
  zipfs_close: { closed: true; synced: boolean; discarded: { modified: number; added: number; deleted: number } };
  zipfs_ls: {
    entries: { name: string; type: string; size_bytes: number; modified_at: string }[];
    truncated: boolean;
    next_cursor: string | null;
  };
  zipfs_tree: { tree: string; file_count: number; dir_count: number; truncated: boolean };
  zipfs_read: {
    content: string;
    size_bytes: number;
    encoding: string;
    total_size_bytes: number;
    offset: number;
    next_offset: number | null;
    truncated: boolean;
    hash: string;
  };
  zipfs_write: { written: true; size_bytes: number; path: string; hash: string; created: boolean };
  zipfs_delete: { deleted: true; path: string; files_deleted: number };
  zipfs_grep: {
    matches: { file: string; line_number: number; line_content: string; before?: string[]; after?: string[] }[];
    total_matches: number;
    truncated: boolean;
    skipped_binary: number;
    incomplete: boolean;
  };
  zipfs_path: { path: string; repo_path: string };
  zipfs_status: Changes & { unchanged_count: number; unsynced: Changes & { dirs_changed: boolean } };
  zipfs_sync: {
    synced: boolean;
    backup_path: string;
    files_modified: number;
    files_added: number;
    files_deleted: number;
    unchanged?: boolean;
    size_bytes?: number;
    zip_hash?: string;
    modified?: string[];
    added?: string[];
    deleted?: string[];
    conflict?: boolean;
    source_missing?: boolean;
    estimated_size_bytes?: number;
  };
  zipfs_sessions: { sessions: Record<string, unknown>[] };
  zipfs_prune: {
    pruned: { id: string; name: string; reason: string; had_unsynced_changes: boolean }[];
    freed_bytes: number;
  };
  "file.create": { hash: string };
  "file.remove": Record<string, unknown>;
  "file.list": { entries: { name: string; type: string }[]; total: number };
  "text.read": { content: string; hash: string };
  "text.append": { hash: string };
  "snapshot.list": { entries: { path: string }[]; lease_id: string };
  "workspace.delete": Record<string, unknown>;
  "workspace.write_file": Record<string, unknown>;
}

export class ZipRoot extends ToolRoot<Outputs> {
  static async signIn(options: SignInOptions = {}): Promise<ZipRoot> {
    return new ZipRoot(await signIn(options));
  }

  static of(connection: Connection): ZipRoot {
    return new ZipRoot(connection);
  }

  /** Puts bytes at a path, in place of what is there. */
  async put(path: string, bytes: Uint8Array): Promise<string> {
    const head = await fetch(this.fileUrl(path), { method: "HEAD", headers: this.bearer });
    const etag = head.status === 200 ? head.headers.get("etag") : null;
    const response = await fetch(this.fileUrl(path), {
      method: "PUT",
      headers: { ...this.bearer, ...(etag !== null && { "if-match": etag }) },
      body: bytes,
    });
    const text = await response.text();
    expect(response.ok, text).toBe(true);
    return (JSON.parse(text) as { hash: string }).hash;
  }

  /** The bytes at a path; null if there is no file. */
  async get(path: string): Promise<Uint8Array | null> {
    const response = await fetch(this.fileUrl(path), { headers: this.bearer });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return response.status === 200 ? bytes : null;
  }

  /** The bytes of a file that must be there. */
  async bytes(path: string): Promise<Uint8Array> {
    const bytes = await this.get(path);
    if (bytes === null) throw new Error(`${path} is not there`);
    return bytes;
  }

  /** Puts an archive into the root and opens it under the name. */
  async opened(name: string, entries: readonly EntrySpec[] | Uint8Array): Promise<Opened> {
    const path = `/in/${name}.zip`;
    await this.put(path, entries instanceof Uint8Array ? entries : zipOf(entries));
    return this.ok("zipfs_open", { path, name });
  }

  /** Every file of a workspace with its bytes. */
  async files(session: string): Promise<Map<string, Uint8Array>> {
    const { path } = await this.ok("zipfs_path", { session });
    const { entries, truncated } = await this.ok("zipfs_ls", { session, recursive: true });
    expect(truncated).toBe(false);
    const files = new Map<string, Uint8Array>();
    for (const { name, type } of entries) {
      if (type === "file") files.set(name, await this.bytes(`${path}/${name}`));
    }
    return files;
  }

  private get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  private fileUrl(path: string): string {
    return `${this.url}/files${path.split("/").map(encodeURIComponent).join("/")}`;
  }
}

import { compareUtf8 } from "../byte-order";
import type { IndexedEntry } from "./entry-index";

export interface WorkspaceFile {
  readonly hash: string;
  readonly size: number;
  readonly timeMs: number;
}

/** The workspace as of one moment; directories with the time that they were made. */
export interface WorkspaceState {
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  readonly directories: ReadonlyMap<string, number>;
}

/** One entry of the archive to be, in its order (zipfs.md §6.5). */
export type SyncItem =
  /** As it is, its compressed bytes too. */
  | { readonly kind: "copied"; readonly entry: IndexedEntry }
  /** At its place and under its name, with new data. */
  | { readonly kind: "replaced"; readonly entry: IndexedEntry; readonly file: WorkspaceFile }
  | { readonly kind: "new file"; readonly path: string; readonly file: WorkspaceFile }
  | { readonly kind: "new directory"; readonly path: string; readonly timeMs: number };

/** What becomes of each entry, and what comes after them. */
export function planSync(entries: readonly IndexedEntry[], state: WorkspaceState): SyncItem[] {
  const items: SyncItem[] = [];
  // A file that has an entry of its own stays at that place, also where a skipped one of its name stands before it.
  const placed = new Set(entries.flatMap(({ kind, path }) => (kind === "file" ? path : [])));
  const said = new Set<string>();
  for (const entry of entries) {
    const item = itemFor(entry, state);
    if (item === null || (item.kind === "new file" && placed.has(item.path))) continue;
    items.push(item);
    if (entry.kind === "directory") said.add(entry.path);
    else if (item.kind === "new file") placed.add(entry.path);
  }
  return [...items, ...newItems(state, placed, said)];
}

function itemFor(entry: IndexedEntry, { files, directories }: WorkspaceState): SyncItem | null {
  const file = files.get(entry.path);
  switch (entry.kind) {
    case "shadowed":
      return null;
    case "directory":
      return entry.path === "" || directories.has(entry.path) ? { kind: "copied", entry } : null;
    case "file":
      if (file === undefined) return null;
      return file.hash === entry.hash ? { kind: "copied", entry } : { kind: "replaced", entry, file };
    case "skipped": {
      if (file !== undefined) return { kind: "new file", path: entry.path, file };
      const anchor = entry.anchor ?? "";
      const stays = !directories.has(entry.path) && (anchor === "" || directories.has(anchor));
      return stays ? { kind: "copied", entry } : null;
    }
  }
}

/** By the bytes of their paths. A directory is said only where nothing in it implies it. */
function newItems(state: WorkspaceState, placed: ReadonlySet<string>, said: ReadonlySet<string>): SyncItem[] {
  const items: (SyncItem & { readonly path: string })[] = [];
  for (const [path, file] of state.files) if (!placed.has(path)) items.push({ kind: "new file", path, file });
  const parents = new Set([...state.files.keys(), ...state.directories.keys()].map(parentOf));
  for (const [path, timeMs] of state.directories) {
    if (!parents.has(path) && !said.has(path)) items.push({ kind: "new directory", path, timeMs });
  }
  return items.sort((a, b) => compareUtf8(a.path, b.path));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

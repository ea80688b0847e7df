import { listingKeptMaxFiles } from "../../domain/limits";
import { type RootPath, rootDirectory } from "../../domain/path";
import type { EditJournal, LatestEdit } from "../store/edit-journal";
import type { LiveView } from "./live-view";
import type { EntryPage, TreeView, ViewEntry, ViewFile } from "./tree-view";

/**
 * The live tree with the edits that wait, for those who only look: nothing has to come into the tables for them. The content of such an
 * edit comes with its file, because it may never get there.
 */
export class EditedView implements TreeView {
  /** What was made of the list of all files in the tables, with the edits so far. */
  private edited: {
    readonly tables: readonly ViewFile[];
    readonly newest: number;
    readonly files: readonly ViewFile[];
  } | null = null;

  constructor(
    private readonly tables: LiveView,
    private readonly journal: EditJournal,
  ) {}

  fileAt(path: RootPath): ViewFile | null {
    const edit = this.journal.latest(path);
    return edit === undefined ? this.tables.fileAt(path) : this.fileOf(edit);
  }

  /** Edits make no directory, and no file. */
  isDirectory(path: RootPath): boolean {
    return this.tables.isDirectory(path);
  }

  filesBelow(path: RootPath): readonly ViewFile[] {
    const tables = this.tables.filesBelow(path);
    if (path !== rootDirectory || tables.length > listingKeptMaxFiles) return this.withEdits(tables, path);
    const newest = this.journal.newestBelow(path);
    if (newest === undefined) this.edited = null;
    else if (this.edited?.tables !== tables || this.edited.newest !== newest) {
      this.edited = { tables, newest, files: this.withEdits(tables, path) };
    }
    return this.edited?.files ?? tables;
  }

  fileCountBelow(directory: RootPath): number {
    return this.tables.fileCountBelow(directory);
  }

  entriesBelow(path: RootPath, depth: number, limit: number, offset: number): EntryPage {
    const { entries, total } = this.tables.entriesBelow(path, depth, limit, offset);
    return { entries: entries.map((entry) => this.entryOf(entry)), total };
  }

  private withEdits(files: readonly ViewFile[], path: RootPath): readonly ViewFile[] {
    if (this.journal.newestBelow(path) === undefined) return files;
    return files.map((file) => {
      const edit = this.journal.latest(file.path);
      return edit === undefined ? file : this.fileOf(edit);
    });
  }

  private entryOf(entry: ViewEntry): ViewEntry {
    const edit = this.journal.latest(entry.path);
    if (edit === undefined) return entry;
    return { path: edit.path, type: "file", size: edit.size, gitOid: this.journal.gitIdOf(edit) };
  }

  private fileOf(edit: LatestEdit): ViewFile {
    const { path, blob, size, lines, text } = edit;
    return { path, blob, gitOid: this.journal.gitIdOf(edit), size, lines, text };
  }
}

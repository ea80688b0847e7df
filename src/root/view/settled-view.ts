import type { RootPath } from "../../domain/path";
import type { LiveView } from "./live-view";
import type { EntryPage, TreeView, ViewFile } from "./tree-view";

/** The live tree for whoever goes to the tables with what is found here: the edits that wait come there first. */
export class SettledView implements TreeView {
  constructor(
    private readonly tables: LiveView,
    private readonly settle: () => void,
  ) {}

  fileAt(path: RootPath): ViewFile | null {
    this.settle();
    return this.tables.fileAt(path);
  }

  isDirectory(path: RootPath): boolean {
    return this.tables.isDirectory(path);
  }

  filesBelow(path: RootPath): readonly ViewFile[] {
    this.settle();
    return this.tables.filesBelow(path);
  }

  fileCountBelow(directory: RootPath): number {
    return this.tables.fileCountBelow(directory);
  }

  entriesBelow(path: RootPath, depth: number, limit: number, offset: number): EntryPage {
    this.settle();
    return this.tables.entriesBelow(path, depth, limit, offset);
  }
}

import type { TreeChange } from "./contract";
import type { Snapshots } from "./snapshots";
import type { Blobs } from "./store/blobs";
import type { ContextIndexes } from "./store/context-index";
import type { EditJournal } from "./store/edit-journal";
import type { Leases } from "./store/leases";
import type { TextFilters } from "./store/text-filters";
import type { Tickets } from "./store/tickets";
import type { Tree } from "./store/tree";
import type { TreeIds } from "./store/tree-ids";
import type { Versions } from "./store/versions";
import type { ZipStore } from "./store/zip-store";
import type { EditedView } from "./view/edited-view";
import type { TreeView } from "./view/tree-view";

/** What operations work on. Everything that they rely on is checked inside `transaction`, which has no await. */
export interface RootState {
  readonly tree: Tree;
  readonly treeIds: TreeIds;
  /** The live tree, for whoever goes on to the tables. */
  readonly live: TreeView;
  /** The same for those who only look, and take what they need before they wait for anything. */
  readonly edited: EditedView;
  /** Edits that are made and not in the tables yet. Whoever asks the tables finds them there all the same. */
  readonly journal: EditJournal;
  readonly blobs: Blobs;
  readonly versions: Versions;
  readonly leases: Leases;
  readonly tickets: Tickets;
  readonly snapshots: Snapshots;
  readonly contextIndexes: ContextIndexes;
  readonly textFilters: TextFilters;
  readonly zip: ZipStore;
  now(): number;
  transaction<T>(work: () => T): T;
  /** The same for work on what edits do not change, or that sees them in the journal: those that wait go on waiting. */
  aside<T>(work: () => T): T;
  /** Brings the edits that wait into the tables. */
  settle(): void;
  /** Tells open streams, after the change is made. */
  changed(change: TreeChange): void;
}

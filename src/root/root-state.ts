import type { TreeChange } from "./contract";
import type { Blobs } from "./store/blobs";
import type { Tree } from "./store/tree";
import type { Versions } from "./store/versions";

/** What operations work on. Everything that they rely on is checked inside `transaction`, which has no await. */
export interface RootState {
  readonly tree: Tree;
  readonly blobs: Blobs;
  readonly versions: Versions;
  now(): number;
  transaction<T>(work: () => T): T;
  /** Tells open streams, after the change is made. */
  changed(change: TreeChange): void;
}

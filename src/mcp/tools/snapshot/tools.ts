import { snapshotChanges } from "./changes";
import { snapshotCreate } from "./create";
import { workspaceDelete } from "./delete";
import { snapshotDiff } from "./diff";
import { snapshotExport } from "./export";
import { snapshotFile } from "./file";
import { snapshotInfo } from "./info";
import { snapshotList } from "./list";
import { workspaceRestore } from "./restore";
import { workspaceWriteFile } from "./write-file";

/** The snapshot family, in the order of snapshot.md §7. */
export const snapshotTools = [
  snapshotCreate,
  snapshotList,
  snapshotFile,
  snapshotDiff,
  snapshotChanges,
  snapshotInfo,
  snapshotExport,
  workspaceWriteFile,
  workspaceDelete,
  workspaceRestore,
] as const;

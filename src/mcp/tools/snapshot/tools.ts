import { workspaceApplyPatch } from "./apply-patch";
import { snapshotChanges } from "./changes";
import { snapshotCreate } from "./create";
import { workspaceDelete } from "./delete";
import { snapshotDiff } from "./diff";
import { snapshotExport } from "./export";
import { snapshotFile } from "./file";
import { snapshotGrep } from "./grep";
import { snapshotInfo } from "./info";
import { snapshotList } from "./list";
import { workspaceRestore } from "./restore";
import { workspaceWriteFile } from "./write-file";

/** The snapshot family, in the order of snapshot.md §7. */
export const snapshotTools = [
  snapshotCreate,
  snapshotList,
  snapshotFile,
  snapshotGrep,
  snapshotDiff,
  snapshotChanges,
  snapshotInfo,
  snapshotExport,
  workspaceApplyPatch,
  workspaceWriteFile,
  workspaceDelete,
  workspaceRestore,
] as const;

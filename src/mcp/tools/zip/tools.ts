import { zipfsClose } from "./close";
import { zipfsDelete } from "./delete";
import { zipfsGrep } from "./grep";
import { zipfsLs } from "./ls";
import { zipfsOpen } from "./open";
import { zipfsPath } from "./path";
import { zipfsPrune } from "./prune";
import { zipfsRead } from "./read";
import { zipfsSessions } from "./sessions";
import { zipfsStatus } from "./status";
import { zipfsSync } from "./sync";
import { zipfsTree } from "./tree";
import { zipfsWrite } from "./write";

/** The zip family, in the order of seed 003. */
export const zipTools = [
  zipfsOpen,
  zipfsClose,
  zipfsLs,
  zipfsTree,
  zipfsRead,
  zipfsWrite,
  zipfsDelete,
  zipfsGrep,
  zipfsPath,
  zipfsSync,
  zipfsStatus,
  zipfsSessions,
  zipfsPrune,
] as const;

import { version } from "../version";
import type { Catalog } from "./catalog";
import { buildRegistry } from "./registry";
import { listResources } from "./resources/list";
import { contextTools } from "./tools/context/tools";
import { rootInfo } from "./tools/root/info";
import { snapshotTools } from "./tools/snapshot/tools";
import { textTools } from "./tools/text/tools";
import { zipTools } from "./tools/zip/tools";

/** What Holdfast offers, built once per isolate. The order of the families, and of the tools in each, is that of `tools/list`. */
export const product: Catalog = {
  name: "holdfast",
  title: "Holdfast",
  version,
  instructions:
    "A private, versioned root filesystem. Paths are POSIX-style within your root. Nothing is overwritten unseen: every edit cites the hash or the lease of what was read; when it is refused, read what changed and retry.",
  tools: buildRegistry([rootInfo, ...textTools, ...snapshotTools, ...zipTools, ...contextTools]),
  resources: listResources,
};

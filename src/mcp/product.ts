import { version } from "../version";
import type { Catalog } from "./catalog";
import { buildRegistry } from "./registry";
import { listResources } from "./resources/list";
import { rootInfo } from "./tools/root/info";
import { textAppend } from "./tools/text/append";
import { fileCreate } from "./tools/text/create";
import { textInsert } from "./tools/text/insert";
import { fileList } from "./tools/text/list";
import { textRead } from "./tools/text/read";
import { fileRemove } from "./tools/text/remove";
import { textReplace } from "./tools/text/replace";

/** What Holdfast offers, built once per isolate. The order here is the order of `tools/list`. */
export const product: Catalog = {
  name: "holdfast",
  title: "Holdfast",
  version,
  instructions:
    "A private, versioned root filesystem. Paths are POSIX-style within your root. Nothing is overwritten unseen: every edit cites the hash or the lease of what was read; when it is refused, read what changed and retry.",
  tools: buildRegistry([rootInfo, fileCreate, fileList, fileRemove, textRead, textReplace, textInsert, textAppend]),
  resources: listResources,
};

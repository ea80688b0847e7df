/** A file or directory below the path asked for, by its path relative to it. */
export interface TreeItem {
  readonly path: string;
  readonly isDirectory: boolean;
}

export interface TreeText {
  readonly tree: string;
  readonly files: number;
  readonly directories: number;
  readonly truncated: boolean;
}

/** `items` in that order; all of them, because a line shows whether siblings follow. */
export function renderTree(items: readonly TreeItem[], maxLines: number): TreeText {
  const isLast = lastSiblings(items);
  const lines = ["."];
  /** By depth, what goes before the children of the directory at hand. */
  const leads: string[] = [""];
  let files = 0;
  let directories = 0;
  for (const [index, { path, isDirectory }] of items.entries()) {
    if (lines.length === maxLines) {
      return { tree: lines.join("\n"), files, directories, truncated: true };
    }
    const depth = path.split("/").length - 1;
    const lead = leads[depth] ?? "";
    const name = path.slice(path.lastIndexOf("/") + 1);
    lines.push(`${lead}${isLast[index] ? "└── " : "├── "}${name}${isDirectory ? "/" : ""}`);
    leads[depth + 1] = lead + (isLast[index] ? "    " : "│   ");
    if (isDirectory) directories++;
    else files++;
  }
  return { tree: lines.join("\n"), files, directories, truncated: false };
}

function lastSiblings(items: readonly TreeItem[]): boolean[] {
  const seen = new Set<string>();
  const isLast = new Array<boolean>(items.length);
  for (let index = items.length - 1; index >= 0; index--) {
    const path = (items[index] as TreeItem).path;
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    isLast[index] = !seen.has(parent);
    seen.add(parent);
  }
  return isLast;
}

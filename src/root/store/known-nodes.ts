import type { RootPath } from "../../domain/path";
import type { Node } from "./tree";

/** Nodes of at most 1 KiB each, path and all. */
const nodesMax = 2_000;

/** What was last looked up in the tree, so that agents who work on a few files do not ask the table for them in every call. Null: nothing is there. */
export class KnownNodes {
  readonly #nodes = new Map<RootPath, Node | null>();

  get(path: RootPath): Node | null | undefined {
    return this.#nodes.get(path);
  }

  add(path: RootPath, node: Node | null): void {
    if (this.#nodes.size >= nodesMax) this.clear();
    this.#nodes.set(path, node);
  }

  clear(): void {
    this.#nodes.clear();
  }
}

import type { RootPath } from "../../domain/path";
import { err, ok, type Result } from "../../domain/result";
import { isDirectory, notFound, type TextError } from "../../domain/text-errors";
import type { FileNode, Node, Tree } from "../store/tree";

/** The file at the path (MCP-050). `whenDirectory` completes the sentence "/x is a directory; …". */
export function findFile(tree: Tree, path: RootPath, whenDirectory: string): Result<FileNode, TextError> {
  return fileAt(path, tree.find(path), tree, whenDirectory);
}

/** The same of a node that was found. */
export function fileAt(
  path: RootPath,
  node: Node | null,
  tree: Tree,
  whenDirectory: string,
): Result<FileNode, TextError> {
  if (node?.kind === "file") return ok(node);
  if (node?.kind === "directory") return err(isDirectory(path, whenDirectory));
  return err(notFound(path, tree.nearestDirectory(path)));
}

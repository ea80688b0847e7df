import { textFileMaxBytes } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { overLimit, wrongKind } from "../../../domain/snapshot-errors";
import type { FileRead, Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import type { TreeView } from "../../view/tree-view";
import { absent } from "./absent";
import { type Seen, withView } from "./with-view";

/** snapshot.md §7.3. */
export function readFile(root: RootState, view: ViewRequest, path: RootPath): Promise<Outcome<Viewed<FileRead>>> {
  const read = async (tree: TreeView): Promise<Outcome<Seen<FileRead>>> => {
    const file = tree.fileAt(path);
    if (file === null) {
      if (tree.isDirectory(path)) return err(wrongKind(path, "directory", "list it with snapshot.list"));
      return err(absent(root, view, path));
    }
    if (file.size > textFileMaxBytes) {
      return err(overLimit("TEXT_FILE_MAX", textFileMaxBytes, file.size, `Use GET /files${path} for large files.`));
    }
    const { text } = file;
    const bytes = text === undefined ? await root.blobs.read(file.blob, root.now()) : new TextEncoder().encode(text);
    const { size, gitOid, blob: hash, lines } = file;
    return ok({ value: { bytes, size, gitOid, hash, isText: lines !== null }, touched: [path] });
  };
  return withView(root, view, read, root.edited);
}

import { textFileMaxBytes } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { err, ok } from "../../../domain/result";
import { overLimit, wrongKind } from "../../../domain/snapshot-errors";
import type { FileRead, Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import { absent } from "./absent";
import { withView } from "./with-view";

/** snapshot.md §7.3. */
export function readFile(root: RootState, view: ViewRequest, path: RootPath): Promise<Outcome<Viewed<FileRead>>> {
  return withView(root, view, async (tree) => {
    const file = tree.fileAt(path);
    if (file === null) {
      if (tree.isDirectory(path)) return err(wrongKind(path, "directory", "list it with snapshot.list"));
      return err(absent(root, view, path));
    }
    if (file.size > textFileMaxBytes) {
      return err(overLimit("TEXT_FILE_MAX", textFileMaxBytes, file.size, `Use GET /files${path} for large files.`));
    }
    const bytes = await root.blobs.read(file.blob, root.now());
    const { size, gitOid, blob: hash, lines } = file;
    return ok({ value: { bytes, size, gitOid, hash, isText: lines !== null }, touched: [path] });
  });
}

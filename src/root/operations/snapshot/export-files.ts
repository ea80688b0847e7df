import { encodeExportJson } from "../../../domain/export-json";
import { exportMaxBytes } from "../../../domain/limits";
import type { RootPath } from "../../../domain/path";
import { repoPathOf } from "../../../domain/repo-path";
import { err, ok } from "../../../domain/result";
import { overLimit } from "../../../domain/snapshot-errors";
import { encodeTar, tarSize } from "../../../domain/tar";
import type { Bundle, Outcome, Viewed, ViewRequest } from "../../contract";
import type { RootState } from "../../root-state";
import { selectFiles } from "./select-files";
import { withView } from "./with-view";

/** snapshot.md §11: a bundle is whole or refused, never cut. */
export function exportFiles(
  root: RootState,
  view: ViewRequest,
  paths: readonly RootPath[],
  format: "tar" | "json",
): Promise<Outcome<Viewed<Bundle>>> {
  return withView(root, view, async (tree) => {
    const files = selectFiles(root, view, tree, paths);
    if (!files.ok) return files;
    const totalBytes = files.value.reduce((sum, file) => sum + file.size, 0);
    // Known before anything is read: a JSON bundle is never smaller than its contents.
    const least =
      format === "json" ? totalBytes : tarSize(files.value.map(({ path, size }) => ({ path: repoPathOf(path), size })));
    if (least > exportMaxBytes) return err(bundleTooLarge(least));
    const contents = [];
    for (const { path, blob } of files.value) {
      contents.push({ path: repoPathOf(path), blob, bytes: await root.blobs.read(blob, root.now()) });
    }
    const bytes = format === "tar" ? encodeTar(contents) : encodeExportJson(contents);
    if (bytes.length > exportMaxBytes) return err(bundleTooLarge(bytes.length));
    return ok({
      value: { bytes, files: contents.length, totalBytes },
      touched: files.value.map((file) => file.path),
    });
  });
}

function bundleTooLarge(bytes: number) {
  return overLimit("EXPORT_MAX", exportMaxBytes, bytes, "Export fewer paths at once.");
}

import { directoriesMax, filesMax, rootBytesMax } from "../../domain/limits";
import { ancestorsOf, type RootPath } from "../../domain/path";
import type { TextError } from "../../domain/text-errors";
import type { Tree } from "../store/tree";

/** What an operation would add. */
interface Growth {
  readonly files: number;
  readonly bytes: number;
}

/** Inside the transaction: the quota that the growth would break. Shrinking is always allowed. */
export function overQuota(tree: Tree, path: RootPath, growth: Growth): TextError | null {
  const used = tree.usage();
  if (growth.files > 0 && used.files + growth.files > filesMax) {
    return exceeded(path, `your root holds ${used.files} files of at most ${filesMax}`, used.files, filesMax);
  }
  if (growth.files > 0 && used.directories + ancestorsOf(path).length > directoriesMax) {
    const what = `your root holds ${used.directories} directories of at most ${directoriesMax}`;
    return exceeded(path, what, used.directories, directoriesMax);
  }
  if (growth.bytes > 0 && used.bytes + growth.bytes > rootBytesMax) {
    const what = `your root holds ${used.bytes} bytes of at most ${rootBytesMax}, and this needs ${growth.bytes} more`;
    return exceeded(path, what, used.bytes + growth.bytes, rootBytesMax);
  }
  return null;
}

function exceeded(path: RootPath, what: string, size: number, max: number): TextError {
  return {
    code: "TOO_LARGE",
    message: `${path} was not stored: ${what}. Remove files that you no longer need, then try again.`,
    details: { path, size, max },
  };
}

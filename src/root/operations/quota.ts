import { directoriesMax, filesMax, rootBytesMax } from "../../domain/limits";
import { ancestorsOf, type RootPath } from "../../domain/path";
import type { TextError } from "../../domain/text-errors";
import type { Tree } from "../store/tree";

/** What an operation would add at most. */
export interface Growth {
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
}

export interface BrokenQuota {
  readonly what: "files" | "directories" | "bytes";
  readonly used: number;
  readonly needed: number;
  readonly max: number;
}

/** Inside the transaction: the quota that the growth would break. Shrinking is always allowed. */
export function brokenQuota(tree: Tree, growth: Growth): BrokenQuota | null {
  const used = tree.usage();
  const quotas = [
    { what: "files", used: used.files, needed: growth.files, max: filesMax },
    { what: "directories", used: used.directories, needed: growth.directories, max: directoriesMax },
    { what: "bytes", used: used.bytes, needed: growth.bytes, max: rootBytesMax },
  ] as const;
  return quotas.find((quota) => quota.needed > 0 && quota.used + quota.needed > quota.max) ?? null;
}

/** In the words of the text family, for one file that would be new or grow. */
export function overQuota(tree: Tree, path: RootPath, growth: Omit<Growth, "directories">): TextError | null {
  const directories = growth.files > 0 ? ancestorsOf(path).length - tree.existingAncestors(path).length : 0;
  const broken = brokenQuota(tree, { ...growth, directories });
  if (broken === null) return null;
  return {
    code: "TOO_LARGE",
    message: `${path} was not stored: ${quotaMessage(broken)}`,
    details: { path, size: broken.used + broken.needed, max: broken.max },
  };
}

export function quotaMessage({ what, used, needed, max }: BrokenQuota): string {
  return `your root holds ${used} ${what} of at most ${max}, and this needs ${needed} more. Remove files that you no longer need, then try again.`;
}

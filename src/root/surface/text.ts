import type { Sha256 } from "../../domain/hash";
import type { LineRange } from "../../domain/lines";
import type { RootPath } from "../../domain/path";
import type { Result } from "../../domain/result";
import type { TextError } from "../../domain/text-errors";
import type { Caller, Listing, Reply, RootUsage, TextEdit, TextEdited, TextRead } from "../contract";
import { createFile } from "../operations/create-file";
import { editText } from "../operations/edit-text";
import { readText } from "../operations/read-text";
import { removeFile } from "../operations/remove-file";

import { WithSessions } from "./sessions";

/** The text family. */
export class WithText extends WithSessions {
  usage(caller: Caller): Reply<RootUsage> {
    return this.admitted(caller, () => this.root.tree.usage());
  }

  list(caller: Caller, path: RootPath, limit: number, offset: number): Reply<Listing> {
    return this.admitted<Listing>(caller, () => {
      const { tree } = this.root;
      const node = tree.find(path);
      if (node === null) return { kind: "absent", nearest: tree.nearestDirectory(path) };
      if (node.kind === "file") return { kind: "file" };
      return { kind: "directory", entries: tree.children(path, limit, offset), total: tree.childCount(path) };
    });
  }

  createFile(caller: Caller, path: RootPath, bytes: Uint8Array): Promise<Reply<Result<Sha256, TextError>>> {
    return this.admittedAsync(caller, () => createFile(this.root, path, bytes));
  }

  removeFile(caller: Caller, path: RootPath, hash: Sha256): Promise<Reply<Result<null, TextError>>> {
    return this.admittedAsync(caller, () => removeFile(this.root, path, hash));
  }

  readText(
    caller: Caller,
    path: RootPath,
    lines: LineRange | null,
    known: Sha256 | null,
  ): Promise<Reply<Result<TextRead | null, TextError>>> {
    return this.admittedAsync(caller, () => readText(this.root, path, lines, known));
  }

  editText(
    caller: Caller,
    path: RootPath,
    hash: Sha256,
    edit: TextEdit,
  ): Promise<Reply<Result<TextEdited, TextError>>> {
    return this.admittedAsync(caller, () => editText(this.root, path, hash, edit));
  }
}

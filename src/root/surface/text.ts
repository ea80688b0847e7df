import type { Caller } from "../../domain/caller";
import type { Sha256 } from "../../domain/hash";
import type { LineRange } from "../../domain/lines";
import { type MaybePacked, type Packed, pack } from "../../domain/packed";
import type { RootPath } from "../../domain/path";
import type { Result } from "../../domain/result";
import type { TextError } from "../../domain/text-errors";
import type { Listing, Reply, RootUsage, TextEdit, TextEdited, TextRead } from "../contract";
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

  async readText(
    caller: Caller,
    path: RootPath,
    lines: LineRange | null,
    known: Sha256 | null,
  ): Promise<MaybePacked<Reply<Result<TextRead | null, TextError>>>> {
    const reply = await this.admittedAsync(caller, () => readText(this.root, path, lines, known));
    // A content comes as it is: as JSON it would be copied once more.
    return reply.admitted && reply.value.ok && reply.value.value !== null ? reply : pack(reply);
  }

  async editText(
    caller: Caller,
    path: RootPath,
    hash: Sha256,
    edit: TextEdit,
  ): Promise<Packed<Reply<Result<TextEdited, TextError>>>> {
    return pack(await this.admittedAsync(caller, () => editText(this.root, path, hash, edit)));
  }
}

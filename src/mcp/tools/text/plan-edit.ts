import type { z } from "zod";
import type { Sha256 } from "../../../domain/hash";
import { ok, type Result } from "../../../domain/result";
import type { TextError } from "../../../domain/text-errors";
import type { TextEdit } from "../../../root/contract";
import type { Plan } from "../../tool";
import { parseFilePath } from "./arguments";
import { editAnswer, type editOutput } from "./outputs";

/** What all tools that edit a text have in common: one path to write, and one call with the version that the edit was made for. */
export function planEdit(
  tool: string,
  at: { readonly path: string; readonly hash: Sha256 },
  edit: TextEdit,
): Result<Plan<z.infer<typeof editOutput>>, TextError> {
  const path = parseFilePath(at.path, `${tool} works on files; see what is in it with file.list`);
  if (!path.ok) return path;
  return ok({
    needs: [{ verb: "write", path: path.value }],
    async run(context) {
      const edited = await context.ask((root, caller) => root.editText(caller, path.value, at.hash, edit));
      return edited.ok ? ok(editAnswer(edited.value)) : edited;
    },
  });
}

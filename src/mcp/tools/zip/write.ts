import { z } from "zod";
import { decodeBase64 } from "../../../domain/base64";
import { err, ok, type Result } from "../../../domain/result";
import { invalidParams, type ZipError } from "../../../domain/zip/zip-errors";
import { defineTool } from "../../tool";
import {
  encodingArgument,
  filePathArgument,
  flagArgument,
  hashArgument,
  parsePath,
  sessionArgument,
  sessionOf,
  settled,
  stringArgument,
} from "./arguments";

/** zipfs.md §4. */
export const zipfsWrite = defineTool({
  name: "zipfs_write",
  family: "zip",
  title: "Write to workspace",
  description:
    "Write a whole file of a zip workspace, new or in place of the former one. The archive itself changes with zipfs_sync.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    session: sessionArgument,
    path: filePathArgument,
    content: stringArgument("content", "The whole content; may be empty."),
    encoding: encodingArgument("base64 for bytes that are not text.", "utf-8"),
    create_dirs: flagArgument("create_dirs", true, "Make the directories that are missing."),
    hash: hashArgument,
  }),
  output: z.strictObject({
    written: z.literal(true),
    size_bytes: z.int(),
    path: z.string(),
    hash: z.string(),
    created: z.boolean(),
  }),
  plan(input) {
    const path = parsePath(input.path, true);
    if (!path.ok) return path;
    const bytes = encode(input.content, input.encoding ?? "utf-8");
    if (!bytes.ok) return bytes;
    const { create_dirs: createsDirectories = true, hash = null } = input;
    return ok({
      needs: [],
      async run(context) {
        const request = {
          session: sessionOf(input),
          scopes: context.principal.scopes,
          path: path.value,
          bytes: bytes.value,
          createsDirectories,
          hash,
        };
        const written = settled(await context.ask((root, caller) => root.writeWorkspaceFile(caller, request)));
        if (!written.ok) return written;
        const { size, hash: current, created } = written.value;
        return ok({
          written: true as const,
          size_bytes: size,
          path: path.value as string,
          hash: current as string,
          created,
        });
      },
    });
  },
});

function encode(content: string, encoding: "utf-8" | "base64"): Result<Uint8Array, ZipError> {
  if (encoding === "utf-8") return ok(new TextEncoder().encode(content));
  const decoded = decodeBase64(content);
  return decoded.ok ? decoded : err(invalidParams("content", "invalid base64"));
}

import { z } from "zod";
import { zipReadDefaultBytes, zipReadMaxBytes } from "../../../domain/limits";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import {
  encodingArgument,
  filePathArgument,
  integerArgument,
  parsePath,
  sessionArgument,
  sessionOf,
  settled,
} from "./arguments";

const anyInteger = Number.MAX_SAFE_INTEGER;

/** zipfs.md §4. */
export const zipfsRead = defineTool({
  name: "zipfs_read",
  family: "zip",
  title: "Read from workspace",
  description: "Read a file of a zip workspace, or a part of it. Bytes that are not UTF-8 come as base64.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    session: sessionArgument,
    path: filePathArgument,
    encoding: encodingArgument("By default utf-8 if the file is, else base64."),
    offset: integerArgument("offset", 0, anyInteger, "Byte at which to begin.", 0),
    limit: integerArgument("limit", 1, anyInteger, `Bytes to read, at most ${zipReadMaxBytes}.`),
  }),
  output: z.strictObject({
    content: z.string(),
    size_bytes: z.int(),
    encoding: z.enum(["utf-8", "base64"]),
    total_size_bytes: z.int(),
    offset: z.int(),
    next_offset: z.int().nullable(),
    truncated: z.boolean(),
    hash: z.string(),
  }),
  plan(input) {
    const path = parsePath(input.path);
    if (!path.ok) return path;
    const { encoding = null, offset = 0, limit = zipReadDefaultBytes } = input;
    return ok({
      needs: [],
      async run(context) {
        const request = {
          session: sessionOf(input),
          scopes: context.principal.scopes,
          path: path.value,
          encoding,
          offset,
          limit: Math.min(limit, zipReadMaxBytes),
        };
        const read = settled(await context.ask((root, caller) => root.readWorkspaceFile(caller, request)));
        if (!read.ok) return read;
        const { value } = read;
        return ok({
          content: value.content,
          size_bytes: value.size,
          encoding: value.encoding,
          total_size_bytes: value.totalSize,
          offset: value.offset,
          next_offset: value.nextOffset,
          truncated: value.nextOffset !== null,
          hash: value.hash as string,
        });
      },
    });
  },
});

import { z } from "zod";
import { curlUpload } from "../../../domain/curl-line";
import { parseSha256, type Sha256 } from "../../../domain/hash";
import { uploadMaxBytes } from "../../../domain/limits";
import { err, ok, type Result } from "../../../domain/result";
import { parseHash } from "../../../domain/text-arguments";
import { invalidArgument, shown, type TextError } from "../../../domain/text-errors";
import { optionalArgument } from "../../argument";
import { defineTool } from "../../tool";
import { parseFilePath, pathArgument } from "./arguments";
import { timeOf } from "./outputs";

const whenRoot = "choose a file name inside it";

/** zipfs.md §9: bytes that never pass through a model. */
export const fileUploadUrl = defineTool({
  name: "file.upload_url",
  family: "text",
  title: "Get upload link",
  description:
    "Make a link that takes one file by PUT, for large or binary content: works once, for 10 minutes, without a token. Run the curl line where the file is, or give it to the person who has it.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    path: pathArgument,
    hash: optionalArgument(
      {
        type: "string",
        pattern: "^[0-9a-f]{64}$",
        description: "The hash of the version to replace. Leave it out for a new file.",
      },
      (value) => parseHash(value),
    ),
    sha256: optionalArgument(
      {
        type: "string",
        pattern: "^[0-9a-f]{64}$",
        description: "SHA-256 that the bytes must have; others are not stored.",
      },
      parseDigest,
    ),
    size: optionalArgument(
      { type: "integer", minimum: 0, description: "Exact number of bytes; more or fewer are not stored." },
      parseSize,
    ),
  }),
  output: z.strictObject({
    url: z.string(),
    method: z.literal("PUT"),
    expires_at: z.string(),
    max_bytes: z.int(),
    curl: z.string(),
  }),
  plan({ path: raw, hash = null, sha256 = null, size = null }) {
    const path = parseFilePath(raw, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const wish = { path: path.value, replaces: hash, sha256, size };
        const issued = await context.ask((root, caller) => root.issueUpload(caller, wish));
        if (!issued.ok) return issued;
        const url = await context.linkTo(issued.value.ticket);
        return ok({
          url,
          method: "PUT" as const,
          expires_at: timeOf(issued.value.expiresAtMs),
          max_bytes: uploadMaxBytes,
          curl: curlUpload(url, path.value),
        });
      },
    });
  },
});

function parseDigest(value: unknown): Result<Sha256, TextError> {
  const digest = parseSha256(value);
  if (digest !== null) return ok(digest);
  const wanted = "give the 64 lower-case hex digits of the SHA-256 of the bytes";
  return err(invalidArgument("sha256", `${shown(value)} is not a SHA-256`, wanted));
}

function parseSize(value: unknown): Result<number, TextError> {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return ok(value as number);
  return err(invalidArgument("size", `${shown(value)} is not a number of bytes`, "give an integer from 0"));
}

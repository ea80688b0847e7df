import { z } from "zod";
import { decodeBase64 } from "../../../domain/base64";
import { err, ok, type Result } from "../../../domain/result";
import { invalidArgument, shown, type TextError } from "../../../domain/text-errors";
import { argument, optionalArgument } from "../../argument";
import { defineTool } from "../../tool";
import { parseFilePath, pathArgument } from "./arguments";
import { hashOutput } from "./outputs";

const whenRoot = "choose a file name inside it";

/** MCP-010. */
export const fileCreate = defineTool({
  name: "file.create",
  family: "text",
  title: "Create file",
  description:
    "Create a new file with the given content, and the directories it needs. Never overwrites: an existing path is refused.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z
    .strictObject({
      path: pathArgument,
      content: argument({ type: "string", description: "The content; may be empty." }, parseContent),
      encoding: optionalArgument(
        {
          type: "string",
          enum: ["utf-8", "base64"],
          default: "utf-8",
          description: "base64 for bytes that are not text.",
        },
        parseEncoding,
      ),
    })
    .transform((input, context) => {
      const bytes = encode(input.content, input.encoding ?? "utf-8");
      if (bytes.ok) return { path: input.path, bytes: bytes.value };
      context.addIssue({
        code: "custom",
        path: ["content"],
        message: bytes.error.message,
        params: { ownMessage: true },
      });
      return z.NEVER;
    }),
  output: z.strictObject({ hash: hashOutput }),
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "write", path: path.value }],
      async run(context) {
        const created = await context.ask((root, caller) => root.createFile(caller, path.value, input.bytes));
        return created.ok ? ok({ hash: created.value as string }) : created;
      },
    });
  },
});

function parseContent(value: unknown): Result<string, TextError> {
  if (typeof value !== "string") {
    return err(invalidArgument("content", `${shown(value)} is not a string`, "give a string"));
  }
  if (value.isWellFormed()) return ok(value);
  return err(invalidArgument("content", "the text has a lone surrogate", "give well-formed Unicode"));
}

function parseEncoding(value: unknown): Result<"utf-8" | "base64", TextError> {
  if (value === "utf-8" || value === "base64") return ok(value);
  return err(invalidArgument("encoding", `${shown(value)} is not an encoding`, 'give "utf-8" or "base64"'));
}

function encode(content: string, encoding: "utf-8" | "base64"): Result<Uint8Array, TextError> {
  if (encoding === "utf-8") return ok(new TextEncoder().encode(content));
  const decoded = decodeBase64(content);
  if (decoded.ok) return decoded;
  const { offset, why } = decoded.error;
  return err(
    invalidArgument(
      "content",
      `not base64 at offset ${offset}: ${why}`,
      "give standard, padded base64 without line breaks",
    ),
  );
}

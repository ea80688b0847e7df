import { z } from "zod";
import { filesMax, rootBytesMax, textFileMaxBytes, uploadMaxBytes } from "../../../domain/limits";
import { ok } from "../../../domain/result";
import { version } from "../../../version";
import { defineTool, families } from "../../tool";

export const rootInfo = defineTool({
  name: "root.info",
  family: null,
  title: "About this root",
  description: "Tell whose root this is, what this token may do, how much is stored and what the limits are.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({}),
  output: z.strictObject({
    user_id: z.string(),
    scopes: z.array(z.string()),
    used: z.strictObject({ files: z.int(), bytes: z.int() }),
    limits: z.strictObject({
      files: z.int(),
      bytes: z.int(),
      text_file_bytes: z.int(),
      upload_bytes: z.int(),
    }),
    server_version: z.string(),
    families: z.array(z.string()),
  }),
  plan: () =>
    ok({
      needs: [],
      async run(context) {
        const used = await context.ask((root, caller) => root.usage(caller));
        return ok({
          user_id: context.principal.userId as string,
          scopes: context.principal.scopeText.split(" ").filter((scope) => scope !== ""),
          used: { files: used.files, bytes: used.bytes },
          limits: {
            files: filesMax,
            bytes: rootBytesMax,
            text_file_bytes: textFileMaxBytes,
            upload_bytes: uploadMaxBytes,
          },
          server_version: version,
          families: families.filter((family) => context.families.has(family)),
        });
      },
    }),
});

import { z } from "zod";
import { curlDownload } from "../../../domain/curl-line";
import { ok } from "../../../domain/result";
import { defineTool } from "../../tool";
import { parseFilePath, pathArgument } from "./arguments";
import { hashOutput, timeOf } from "./outputs";

const whenRoot = "file.download_url is for files; see what is in it with file.list";

/** zipfs.md §9: bytes that never pass through a model. */
export const fileDownloadUrl = defineTool({
  name: "file.download_url",
  family: "text",
  title: "Get download link",
  description:
    "Make a link that gives the current bytes of a file by GET, also if it changes later: works once, for 10 minutes, without a token. Run the curl line where the file is wanted, or give the link to a person.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ path: pathArgument }),
  output: z.strictObject({
    url: z.string(),
    method: z.literal("GET"),
    expires_at: z.string(),
    hash: hashOutput,
    size: z.int().min(0),
    curl: z.string(),
  }),
  plan(input) {
    const path = parseFilePath(input.path, whenRoot);
    if (!path.ok) return path;
    return ok({
      needs: [{ verb: "read", path: path.value }],
      async run(context) {
        const issued = await context.ask((root, caller) => root.issueDownload(caller, path.value));
        if (!issued.ok) return issued;
        const { ticket, expiresAtMs, hash, size } = issued.value;
        const url = await context.linkTo(ticket);
        return ok({
          url,
          method: "GET" as const,
          expires_at: timeOf(expiresAtMs),
          hash: hash as string,
          size,
          curl: curlDownload(url, path.value),
        });
      },
    });
  },
});

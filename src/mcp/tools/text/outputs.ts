import { z } from "zod";
import type { TextEdited } from "../../../root/contract";

export const hashOutput = z.string().regex(/^[0-9a-f]{64}$/);

/** What every edit answers (MCP-033). */
export const editOutput = z.strictObject({
  hash: hashOutput,
  total_lines: z.int().min(0),
  already_applied: z.literal(true).optional(),
});

export function editAnswer(edited: TextEdited): z.infer<typeof editOutput> {
  return {
    hash: edited.hash,
    total_lines: edited.totalLines,
    ...(edited.alreadyApplied && { already_applied: true as const }),
  };
}

/** UTC, to the second. */
export function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

import { z } from "zod";
import { contextQueryMaxBytes } from "../../../domain/limits";

/** What the tools of the family tell clients of their arguments and answers. */

export const cacheProperty = {
  type: "string",
  description: "Name of a cache, as context.list_caches shows it.",
} as const;

export const questionInput = {
  properties: {
    cache: cacheProperty,
    query: {
      type: "string",
      description: `Words to look for; whole words count, case does not. At most ${contextQueryMaxBytes} bytes.`,
    },
    budget: {
      type: "integer",
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Tokens that the documents may have together; a token is four bytes.",
    },
  },
  required: ["cache", "query", "budget"],
} as const;

export const cacheInput = { properties: { cache: cacheProperty }, required: ["cache"] } as const;

export const weightOutput = { score: z.number(), tokens: z.int() } as const;

export const whyOutput = z.strictObject({
  query_terms: z.array(z.string()),
  term_matches: z.int(),
  total_words: z.int(),
});

export const selectionOutput = z.strictObject({
  query: z.string(),
  budget: z.int(),
  tokens_used: z.int(),
  documents_considered: z.int(),
  documents_selected: z.int(),
  documents_excluded_by_budget: z.int(),
});

/** Reads only, and says the same whenever it is asked. */
export const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

import { utf8Length } from "../byte-order";
import { contextQueryMaxBytes } from "../limits";
import { err, ok, type Result } from "../result";
import type { Question } from "./answer-text";
import type { ContextError } from "./errors";
import { lowerWords } from "./words";

/** `budget` and `query`, in the order of their checks (context.md §5.1). Anything but a whole, non-negative number is no budget. */
export function parseQuestion(raw: Readonly<Record<string, unknown>>): Result<Question, ContextError> {
  const { budget, query } = raw;
  if (typeof budget !== "number" || !Number.isSafeInteger(budget) || budget < 0) return err({ code: "invalid_budget" });
  if (typeof query !== "string" || !query.isWellFormed()) return err({ code: "invalid_query" });
  if (query.length > contextQueryMaxBytes || utf8Length(query) > contextQueryMaxBytes) {
    return err({ code: "invalid_query" });
  }
  // -0 is 0.
  return ok({ query, terms: lowerWords(query), budget: budget + 0 });
}

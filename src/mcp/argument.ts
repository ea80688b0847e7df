import { z } from "zod";
import type { Result } from "../domain/result";

/** Marks an issue whose message is a whole sentence of ours. */
export const ownMessage = { ownMessage: true } as const;

/**
 * An argument with a check of our own, so that a refusal says what was given and what is wanted.
 * `schema` is what clients are told of it.
 */
export function argument<T>(
  schema: Record<string, unknown>,
  parse: (value: unknown) => Result<T, { readonly message: string }>,
  /** What to say when it is missing, where "is required" is not enough. */
  whenMissing?: string,
): z.ZodType<T> {
  return z
    .unknown()
    .transform((value, context) => {
      if (value === undefined) {
        const params = whenMissing === undefined ? {} : ownMessage;
        context.addIssue({ code: "custom", message: whenMissing ?? "this argument is required", params });
        return z.NEVER;
      }
      const parsed = parse(value);
      if (parsed.ok) return parsed.value;
      context.addIssue({ code: "custom", message: parsed.error.message, params: ownMessage });
      return z.NEVER;
    })
    .meta(schema);
}

/** The same, for an argument that may be left out. */
export function optionalArgument<T>(
  schema: Record<string, unknown>,
  parse: (value: unknown) => Result<T, { readonly message: string }>,
): z.ZodType<T | undefined> {
  return argument(schema, parse).optional();
}

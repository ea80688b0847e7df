import { z } from "zod";
import type { Result } from "../domain/result";

type Parse<T> = (value: unknown) => Result<T, { readonly message: string }>;

/** What checks an argument, by its type. */
const checks = new WeakMap<z.ZodType, { readonly parse: Parse<unknown>; readonly isOptional: boolean }>();

/** Marks an issue whose message is a whole sentence of ours. */
export const ownMessage = { ownMessage: true } as const;

/**
 * An argument with a check of our own, so that a refusal says what was given and what is wanted.
 * `schema` is what clients are told of it.
 */
export function argument<T>(
  schema: Record<string, unknown>,
  parse: Parse<T>,
  /** What to say when it is missing, where "is required" is not enough. */
  whenMissing?: string,
): z.ZodType<T> {
  const type = z
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
  checks.set(type, { parse, isOptional: false });
  return type;
}

/** The same, for an argument that may be left out. */
export function optionalArgument<T>(schema: Record<string, unknown>, parse: Parse<T>): z.ZodType<T | undefined> {
  const type = argument(schema, parse).optional();
  checks.set(type, { parse, isOptional: true });
  return type;
}

/**
 * The same as the type's own parser, for arguments that are all right and without its detours, which take longer than the checks.
 * It gives null for whatever the type itself has to judge: arguments that are wrong, and types of other making.
 */
export function quickParser<T>(type: z.ZodType<T>): (raw: unknown) => T | null {
  const fields = type instanceof z.ZodObject ? Object.entries<z.ZodType>(type.shape) : [];
  const checked = fields.flatMap(([name, field]) => {
    const check = checks.get(field);
    return check === undefined ? [] : [{ name, ...check }];
  });
  if (checked.length < fields.length || fields.length === 0) return () => null;
  const names = new Set(fields.map(([name]) => name));
  return (raw) => {
    if (raw === null || typeof raw !== "object" || Array.isArray(raw)) return null;
    for (const name in raw) if (!names.has(name)) return null;
    const parsed: Record<string, unknown> = {};
    for (const { name, parse, isOptional } of checked) {
      const value = (raw as Record<string, unknown>)[name];
      if (value === undefined) {
        if (!isOptional) return null;
        continue;
      }
      const result = parse(value);
      if (!result.ok) return null;
      parsed[name] = result.value;
    }
    return parsed as T;
  };
}

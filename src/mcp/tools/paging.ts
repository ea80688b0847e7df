import { listDefaultEntries, listMaxEntries } from "../../domain/limits";
import { err, ok, type Result } from "../../domain/result";
import { invalidArgument, shown, type TextError } from "../../domain/text-errors";
import { optionalArgument } from "../argument";

/** How long lists are cut into pages, in every family. */

export const limitArgument = optionalArgument(
  { type: "integer", minimum: 1, maximum: listMaxEntries, default: listDefaultEntries },
  (value) => parseInteger(value, "limit", 1, listMaxEntries),
);

export const offsetArgument = optionalArgument({ type: "integer", minimum: 0, default: 0 }, (value) =>
  parseInteger(value, "offset", 0, Number.MAX_SAFE_INTEGER),
);

/** An integer within bounds, for an argument of any family. */
export function parseInteger(value: unknown, name: string, min: number, max: number): Result<number, TextError> {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return ok(value as number);
  const wanted = max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
  return err(invalidArgument(name, `${shown(value)} is not allowed`, `give ${wanted}`));
}

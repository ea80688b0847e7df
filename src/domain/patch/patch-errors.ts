import { err } from "../result";

/** Why a patch is refused as a whole. What merely does not fit the files is a reject, not an error (snapshot.md §7.9). */
export type PatchError = PatchSyntaxError | PatchTooLarge;

export interface PatchSyntaxError {
  /** PERMISSION_DENIED for a name that points out of the root. */
  readonly code: "INVALID_ARGUMENT" | "PERMISSION_DENIED";
  readonly message: string;
  /** 1-based line of the patch. */
  readonly line: number;
}

export interface PatchTooLarge {
  readonly code: "TOO_LARGE";
  readonly message: string;
  readonly limit: string;
  readonly max: number;
  readonly actual: number;
}

/** `given` says what stands there, `wanted` what should. */
export function malformed(line: number, given: string, wanted: string) {
  const message = `${atLine(line)}: ${given}; ${wanted}.`;
  return err<PatchSyntaxError>({ code: "INVALID_ARGUMENT", message, line });
}

export function crlfPatch(line: number) {
  return malformed(line, "the patch has CRLF line endings", "send LF");
}

/** `hint` completes "…; the limit is 5. " */
export function tooLarge(limit: string, max: number, actual: number, given: string, hint: string): PatchTooLarge {
  return { code: "TOO_LARGE", message: `${given}; the limit is ${max}. ${hint}`, limit, max, actual };
}

export function atLine(line: number): string {
  return `patch line ${line}`;
}

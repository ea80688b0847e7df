import type { ContextDetails, ContextError } from "../../../domain/context/errors";
import { err, type Result } from "../../../domain/result";
import { logFault } from "../../log-fault";

/** Storage failed. Everything else that is thrown is a bug. */
class StorageFault extends Error {}

/** A step of storage, without an await. */
export function stored<T>(step: () => T): T {
  try {
    return step();
  } catch (cause) {
    throw new StorageFault("storage failed", { cause });
  }
}

/** What storage gives piece by piece. */
export async function* storedPieces<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = pieces[Symbol.asyncIterator]();
  while (true) {
    const next = await storedLater(() => iterator.next());
    if (next.done) return;
    yield next.value;
  }
}

export async function storedLater<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw new StorageFault("storage failed", { cause });
  }
}

/** The answer of an operation; a failure of storage becomes `io_error`, of which the log knows more. */
export async function answered<T>(
  what: string,
  work: () => Promise<Result<T, ContextError>>,
  details?: ContextDetails,
): Promise<Result<T, ContextError>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    logFault(what, error.cause);
    return err({ code: "io_error", ...(details !== undefined && { details }) });
  }
}

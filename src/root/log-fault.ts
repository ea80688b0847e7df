/** A fault that no caller is told of, because what it was asked for is done or because nobody asked. */
export function logFault(what: string, error: unknown): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(JSON.stringify({ level: "error", what, cause }));
}

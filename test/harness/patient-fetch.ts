/**
 * The development server closes a connection that nobody used for five seconds. Where a test keeps the runtime busy for as long, it does so
 * although a request is on its way there already, and answers, or lets the client know, that the connection was lost. That request was never read: it
 * is sent once more. Whoever sends a stream has to do that alone.
 */
const direct = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const mayRepeat = !(input instanceof Request) && (init?.body == null || isWhole(init.body));
  try {
    const response = await direct(input, init);
    return mayRepeat && (await wasLost(response)) ? direct(input, init) : response;
  } catch (error) {
    if (!mayRepeat || init?.signal?.aborted || !isReset(error)) throw error;
    return direct(input, init);
  }
};

function isWhole(body: unknown): boolean {
  return (
    typeof body === "string" ||
    body instanceof Uint8Array ||
    body instanceof ArrayBuffer ||
    body instanceof URLSearchParams
  );
}

/** What the development server says in the place of an answer of ours. */
async function wasLost(response: Response): Promise<boolean> {
  if (response.status !== 500 || response.headers.get("x-content-type-options") !== null) return false;
  return (await response.clone().text()).startsWith("Error: Network connection lost.");
}

function isReset(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return code === "ECONNRESET" || code === "UND_ERR_SOCKET";
}

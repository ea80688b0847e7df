import { CimdFetchError } from "@cloudflare/workers-oauth-provider";

const fetchTimeoutMs = 10_000;

/**
 * A client id that is a URL names a document by which its domain vouches for the app. The OAuth provider follows redirects to
 * it, so an open redirect of a well-known site could vouch for anybody: it has to be there itself.
 */
export async function ensureDocumentIsThere(clientId: string): Promise<void> {
  if (!isDocumentUrl(clientId)) return;
  const response = await fetch(clientId, {
    redirect: "manual",
    headers: { Accept: "application/json" },
    signal: AbortSignal.timeout(fetchTimeoutMs),
  }).catch((error: unknown) => {
    throw new CimdFetchError(clientId, String(error));
  });
  await response.body?.cancel();
  if (response.status !== 200) throw new CimdFetchError(clientId, `it was answered with ${response.status}`);
}

function isDocumentUrl(clientId: string): boolean {
  return URL.canParse(clientId) && new URL(clientId).protocol === "https:";
}

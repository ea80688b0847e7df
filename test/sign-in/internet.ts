// The internet of these tests: one site, whose apps describe themselves in documents (client-id metadata documents).
export const site = "https://app.example";

const callbacks = [`${site}/callback`, "http://127.0.0.1/callback"];

function describing(clientId: string, more: object = {}): Response {
  return Response.json({
    client_id: clientId,
    client_name: "Harbour",
    redirect_uris: callbacks,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...more,
  });
}

const documents: Record<string, () => Response> = {
  "/client.json": () => describing(`${site}/client.json`),
  "/of-another.json": () => describing(`${site}/client.json`),
  "/long.json": () => describing(`${site}/long.json`, { client_name: "n".repeat(64 * 1024) }),
  "/moved.json": () => new Response(null, { status: 302, headers: { location: `${site}/elsewhere.json` } }),
  "/elsewhere.json": () => describing(`${site}/moved.json`),
  "/page.json": () => new Response("<h1>Harbour</h1>", { headers: { "content-type": "text/html" } }),
};

/** Everything that the Worker fetches. */
export function internet(request: { readonly url: string }): Response {
  const { origin, pathname } = new URL(request.url);
  return (origin === site ? documents[pathname]?.() : undefined) ?? new Response("nothing here", { status: 404 });
}

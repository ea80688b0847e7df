// A server that takes tokens of a test's own issuer, so that a token can carry any scope claim at all, also one that no consent page would grant.
import { type ForgingIdp, startForgingIdp } from "../auth/forging-idp";
import { type Server, startServer } from "../harness/server";

export interface ScopedServer {
  readonly url: string;
  /** A token of `user` with this scope claim. */
  token(scope: string, user?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startScopedServer(): Promise<ScopedServer> {
  const idp: ForgingIdp = await startForgingIdp();
  const server: Server = await startServer({ vars: { TRUSTED_ISSUERS: JSON.stringify([{ issuer: idp.issuer }]) } });
  return {
    url: server.url,
    token: (scope, user = "alice") =>
      idp.sign({
        iss: idp.issuer,
        aud: `${server.url}/mcp`,
        sub: user,
        client_id: "scopes",
        scope,
        exp: Math.floor(Date.now() / 1000) + 600,
      }),
    async stop() {
      await server.stop();
      await idp.stop();
    },
  };
}

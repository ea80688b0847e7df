// An app that wants to be connected: a loopback listener for its callback, registered at the server by its real address.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { authorizeUrl, createPkce, redeem, register } from "../harness/login";

export interface ConnectingApp {
  readonly redirectUri: string;
  /** What the person's browser is sent to. */
  readonly url: string;
  readonly state: string;
  /** The parameters with which the browser came back. */
  answer(): Promise<URLSearchParams>;
  tokens(): ReturnType<typeof redeem>;
}

export interface AppOptions {
  name?: string;
  scope?: string;
  /** Where the callback sends the browser on to; otherwise it shows a page. */
  leadsTo?: string;
}

export interface Site {
  readonly origin: string;
  stop(): Promise<void>;
}

/** A web site of another origin on loopback. */
export async function startSite(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const server = createServer(serve);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** Apps of one test file; their listeners end together. */
export class Apps {
  readonly #sites: Site[] = [];

  constructor(private readonly server: string) {}

  async connect(options: AppOptions = {}): Promise<ConnectingApp> {
    const back = Promise.withResolvers<URLSearchParams>();
    const site = await startSite((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://app");
      if (pathname !== "/callback") return void response.writeHead(404).end();
      back.resolve(searchParams);
      if (options.leadsTo !== undefined) return void response.writeHead(302, { location: options.leadsTo }).end();
      response.setHeader("content-type", "text/html").end("<title>App</title><h1>Back in the app</h1>");
    });
    this.#sites.push(site);
    const redirectUri = `${site.origin}/callback`;
    const { client_id: clientId } = await register(this.server, {
      clientName: options.name ?? "Paper Lantern",
      redirectUris: [redirectUri],
    });
    const { verifier, challenge } = createPkce();
    const state = crypto.randomUUID();
    const url = await authorizeUrl(this.server, { clientId, challenge, redirectUri, state, scope: options.scope });
    return {
      redirectUri,
      url: url.href,
      state,
      answer: () => back.promise,
      tokens: async () => {
        const code = (await back.promise).get("code") ?? "";
        return redeem(this.server, { code, verifier, clientId, redirectUri });
      },
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#sites.map((site) => site.stop()));
  }
}

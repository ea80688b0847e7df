// The runner cannot sign in. This stands in front of the server and adds the token of a real login to requests
// for /mcp that bring none; everything else, Host and Origin above all, goes through as the runner sent it.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

export interface TokenProxy {
  readonly url: string;
  /** From now on, requests carry this token. */
  useToken(token: string): void;
  stop(): Promise<void>;
}

export async function startTokenProxy(targetPort: number): Promise<TokenProxy> {
  let token: string | undefined;
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, targetPort, token));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    useToken(value) {
      token = value;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number, token: string | undefined): void {
  const adds = token !== undefined && incoming.url === "/mcp" && incoming.headers.authorization === undefined;
  const upstream = request({
    host: "127.0.0.1",
    port,
    method: incoming.method,
    path: incoming.url,
    setHost: false,
    headers: [...incoming.rawHeaders, ...(adds ? ["Authorization", `Bearer ${token}`] : [])],
  });
  upstream.on("response", (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
    outgoing.flushHeaders();
    pipeline(response, outgoing, () => {});
  });
  upstream.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  // The runner hangs up on streams; the server must see that.
  outgoing.on("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

// HTTP with nothing between the test and the socket: fetch would normalize the path, choose the Host and refuse some methods.
import { type IncomingHttpHeaders, request } from "node:http";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  /** The request target as it goes on the wire. */
  readonly path?: string;
  readonly headers?: Record<string, string>;
  /** A text goes out with its length; pieces go out chunked, until the server has answered. */
  readonly body?: string | Iterable<Uint8Array>;
}

export function sendRaw(
  url: string,
  { method = "GET", path = "/", headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const length = typeof body === "string" ? { "content-length": String(Buffer.byteLength(body)) } : {};
  return new Promise((done, failed) => {
    let answered = false;
    const outgoing = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (answer) => {
        answered = true;
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.once("error", failed);
        answer.once("end", () => {
          outgoing.destroy();
          done({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      },
    );
    outgoing.once("error", (error) => {
      if (!answered) failed(error);
    });
    if (body === undefined || typeof body === "string") {
      outgoing.end(body);
      return;
    }
    const pieces = body[Symbol.iterator]();
    const sendOn = () => {
      for (;;) {
        const piece = answered ? undefined : pieces.next();
        if (piece === undefined) return;
        if (piece.done) {
          outgoing.end();
          return;
        }
        if (!outgoing.write(piece.value)) {
          outgoing.once("drain", sendOn);
          return;
        }
      }
    };
    sendOn();
  });
}

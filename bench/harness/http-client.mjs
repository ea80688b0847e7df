// One HTTP/1.1 client with connections that stay open; thin, because its own time is part of every figure.
import { Agent, request } from "node:http";

export class HttpClient {
  #agent;
  #target;

  constructor(url, connections = 1) {
    this.#target = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, noDelay: true });
  }

  /** Resolves to the status, the headers and the bytes of the body. */
  send(method, path, headers, body) {
    return new Promise((done, failed) => {
      const outgoing = request(
        {
          agent: this.#agent,
          host: this.#target.hostname,
          port: this.#target.port,
          method,
          path,
          headers: body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
        },
        (response) => {
          const chunks = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("error", failed);
          response.on("end", () => {
            const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
            done({ status: response.statusCode, headers: response.headers, bytes });
          });
        },
      );
      outgoing.on("error", (error) => {
        // The server has closed a connection that lay idle: the request never arrived.
        if (outgoing.reusedSocket && error.code === "ECONNRESET") done(this.send(method, path, headers, body));
        else failed(error);
      });
      outgoing.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

// An HTTP/1.1 client over plain sockets that stay open: its own time is part of every figure, and node:http or fetch would
// take longer than most answers. It knows what the servers here send: bodies of a stated length, or in chunks.
import { connect } from "node:net";
import { ResponseParser } from "./response-parser.mjs";

export class HttpClient {
  #target;
  #connectionsMax;
  #connections = new Set();
  #idle = [];
  #waiting = [];

  constructor(url, connections = 1) {
    this.#target = new URL(url);
    this.#connectionsMax = connections;
  }

  /** Resolves to the status, the headers and the bytes of the body. */
  send(method, path, headers, body) {
    const request = { head: this.#head(method, path, headers, body), body };
    const answer = new Promise((done, failed) => Object.assign(request, { done, failed }));
    const connection = this.#idle.pop() ?? this.#open();
    if (connection === undefined) this.#waiting.push(request);
    else connection.take(request);
    return answer;
  }

  close() {
    for (const connection of this.#connections) connection.end();
  }

  #head(method, path, headers, body) {
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#target.host}\r\n`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    if (body !== undefined) head += `content-length: ${Buffer.byteLength(body)}\r\n`;
    return `${head}\r\n`;
  }

  #open() {
    if (this.#connections.size === this.#connectionsMax) return undefined;
    const connection = new Connection(this.#target, {
      onIdle: () => {
        const next = this.#waiting.shift();
        if (next === undefined) this.#idle.push(connection);
        else connection.take(next);
      },
      // A server may close a connection that lay idle just when a request is on its way to it.
      onClosed: (unanswered) => {
        this.#connections.delete(connection);
        this.#idle = this.#idle.filter((each) => each !== connection);
        if (unanswered !== undefined) this.#open().take(unanswered);
      },
    });
    this.#connections.add(connection);
    return connection;
  }
}

class Connection {
  #socket;
  #parser = new ResponseParser();
  #request;
  #answered = 0;
  #failure;

  constructor({ hostname, port }, { onIdle, onClosed }) {
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on("data", (chunk) => {
      const response = this.#parser.take(chunk, this.#request.isHead);
      if (response === null) return;
      const { done } = this.#request;
      this.#request = undefined;
      this.#answered += 1;
      done(response);
      onIdle();
    });
    this.#socket.on("error", (error) => {
      this.#failure = error;
    });
    this.#socket.on("close", () => {
      const request = this.#request;
      const isToRepeat = request !== undefined && this.#answered > 0 && this.#parser.isEmpty;
      if (request !== undefined && !isToRepeat) request.failed(this.#failure ?? new Error("the connection was closed"));
      onClosed(isToRepeat ? request : undefined);
    });
  }

  take(request) {
    this.#request = request;
    this.#request.isHead = request.head.startsWith("HEAD ");
    if (typeof request.body === "string" || request.body === undefined) {
      this.#socket.write(request.head + (request.body ?? ""));
      return;
    }
    this.#socket.cork();
    this.#socket.write(request.head);
    this.#socket.write(request.body);
    this.#socket.uncork();
  }

  end() {
    this.#socket.destroy();
  }
}

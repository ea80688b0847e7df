// A PUT whose client goes away in the middle of the body, on a socket of its own.
import { connect } from "node:net";

export interface BrokenUpload {
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** What it says that it will send; without, it sends chunks. */
  readonly declared?: number;
  /** What it sends of it. */
  readonly bytes: Uint8Array;
  /** "end": says that no more comes, and waits for the answer; "reset": is gone at once. */
  readonly how: "end" | "reset";
}

/** Resolves with the status line that came, if any, when the connection is over. */
export function breakOff(url: string, { path, headers = {}, declared, bytes, how }: BrokenUpload): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const length = declared === undefined ? { "transfer-encoding": "chunked" } : { "content-length": String(declared) };
  const head = Object.entries({ host, ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((done) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(`PUT ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
      // A whole chunk: only the one that ends the body is missing.
      const [before, after] =
        declared === undefined && bytes.length > 0 ? [`${bytes.length.toString(16)}\r\n`, "\r\n"] : ["", ""];
      const frame = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
      // When the last byte has left: whoever is reset drops what it has not read yet.
      socket.write(frame, () => (how === "end" ? socket.end() : setTimeout(() => socket.resetAndDestroy(), 50)));
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.once("close", () => done(answer.slice(0, Math.max(0, answer.indexOf("\r\n")))));
  });
}

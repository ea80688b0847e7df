// A peer that lives in a Worker: plain JSON over HTTP, or MCP.
import { HttpClient } from "../harness/http-client.mjs";
import { startPeer } from "../harness/runtime.mjs";

const classNames = { shell: "ShellObject", computer: "ComputerObject", "bare-rpc": "BareObject", floor: "FloorObject" };

export async function startWorkerPeer(name) {
  const runtime = await startPeer(name, { className: classNames[name] });
  return {
    url: runtime.url,
    client: (user = "one", connections = 1) => new WorkerPeerClient(runtime.url, user, connections),
    stop: () => runtime.stop(),
  };
}

class WorkerPeerClient {
  #http;
  #headers;
  #lastId = 0;

  constructor(url, user, connections) {
    this.#http = new HttpClient(url, connections);
    this.#headers = {
      user,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
  }

  /** One RPC of the object, as plain JSON. */
  async call(operation, args) {
    const body = JSON.stringify({ operation, args });
    return JSON.parse((await this.#send("/call", body)).toString("utf8"));
  }

  /** The same as an MCP tool call; gives its text. */
  async mcp(name, args) {
    const message = { jsonrpc: "2.0", id: ++this.#lastId, method: "tools/call", params: { name, arguments: args } };
    const { result, error } = JSON.parse((await this.#send("/mcp", JSON.stringify(message))).toString("utf8"));
    if (error !== undefined || result.isError) throw new Error(JSON.stringify(error ?? result).slice(0, 500));
    return result.content[0].text;
  }

  /** The same, but what our own client takes out of an answer: the content of its structure. */
  async structured(name, args) {
    const message = { jsonrpc: "2.0", id: ++this.#lastId, method: "tools/call", params: { name, arguments: args } };
    return JSON.parse((await this.#send("/mcp", JSON.stringify(message))).toString("utf8")).result.structuredContent;
  }

  /** Puts files there, some at a time. */
  async plant(files) {
    let batch = [];
    for (const { path, content } of files) {
      batch.push({ path: `/${path}`, content });
      if (batch.length === 200) {
        await this.call("write", { files: batch });
        batch = [];
      }
    }
    await this.call("write", { files: batch });
  }

  close() {
    this.#http.close();
  }

  async #send(path, body) {
    const { status, bytes } = await this.#http.send("POST", path, this.#headers, body);
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${bytes.toString("utf8").slice(0, 500)}`);
    return bytes;
  }
}

// A signed-in user of our server over real HTTP, in the 2025 era (a session) or the 2026 era (requests that stand alone).
import { login } from "../../scripts/oauth-flow.mjs";
import { HttpClient } from "./http-client.mjs";

export async function signIn(url, user, { era = "2025-11-25", connections = 1, query = "" } = {}) {
  const { accessToken } = await login(url, { user });
  const root = new HoldfastRoot(new HttpClient(url, connections), accessToken, era, query);
  if (era === "2025-11-25") await root.initialize();
  return root;
}

export class HoldfastRoot {
  #http;
  #headers;
  #era;
  #query;
  #lastId = 0;
  token;

  constructor(http, token, era, query) {
    this.#http = http;
    this.#era = era;
    this.#query = query;
    this.token = token;
    this.#headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": era,
    };
  }

  async initialize() {
    const params = { protocolVersion: this.#era, capabilities: {}, clientInfo: { name: "bench", version: "1" } };
    const { headers } = await this.#post({ jsonrpc: "2.0", id: ++this.#lastId, method: "initialize", params });
    this.#headers["mcp-session-id"] = headers["mcp-session-id"];
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Another user of the same token and session, with a connection of its own. */
  fork(url, connections = 1) {
    const other = new HoldfastRoot(new HttpClient(url, connections), this.token, this.#era, this.#query);
    other.#headers = this.#headers;
    return other;
  }

  async request(method, params = {}) {
    const { bytes } = await this.#post(...this.#message(method, params));
    const text = bytes.toString("utf8");
    const answer = JSON.parse(text.startsWith("{") ? text : text.slice(text.lastIndexOf("data: ") + 6));
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  /** The result of a tool, whatever it says. */
  call(name, args) {
    return this.request("tools/call", { name, arguments: args });
  }

  /** The structured answer of a tool that succeeds. */
  async ok(name, args) {
    const { structuredContent, isError } = await this.call(name, args);
    if (isError) throw new Error(`${name}: ${JSON.stringify(structuredContent).slice(0, 500)}`);
    return structuredContent;
  }

  /** PUT or GET of /files/. */
  async file(method, path, body, headers = {}) {
    const target = `/files${path.split("/").map(encodeURIComponent).join("/")}`;
    const answer = await this.#http.send(
      method,
      target,
      { authorization: this.#headers.authorization, "content-type": "application/octet-stream", ...headers },
      body,
    );
    if (answer.status > 299) throw new Error(`${method} ${target}: ${answer.status} ${answer.bytes}`);
    return answer;
  }

  close() {
    this.#http.close();
  }

  #message(method, params) {
    const id = ++this.#lastId;
    if (this.#era === "2025-11-25") return [{ jsonrpc: "2.0", id, method, params }];
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": this.#era,
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "mcp-method": method, ...(params.name !== undefined && { "mcp-name": params.name }) };
    return [{ jsonrpc: "2.0", id, method, params: { ...params, _meta } }, headers];
  }

  async #post(message, headers) {
    const all = headers === undefined ? this.#headers : { ...this.#headers, ...headers };
    const answer = await this.#http.send("POST", `/mcp${this.#query}`, all, JSON.stringify(message));
    if (answer.status > 299) throw new Error(`POST /mcp: ${answer.status} ${answer.bytes}`);
    return answer;
  }
}

/** Puts many new files there by patches, a few hundred files at a time. */
export async function plant(root, files) {
  let sections = [];
  let bytes = 0;
  let lease;
  const flush = async () => {
    if (sections.length === 0) return;
    lease ??= (await root.ok("snapshot.list", { limit: 1 })).lease_id;
    const { lease_id } = await root.ok("workspace.apply_patch", { patch: sections.join(""), lease_id: lease });
    lease = lease_id;
    [sections, bytes] = [[], 0];
  };
  for (const { path, content } of files) {
    const section = newFileSection(path, content);
    if (sections.length === 500 || bytes + section.length > 3_500_000) await flush();
    sections.push(section);
    bytes += section.length;
  }
  await flush();
}

/** The section of a git patch that creates a file; content is ASCII and ends with a line feed. */
export function newFileSection(path, content) {
  const lines = content.slice(0, -1).split("\n");
  return [
    `diff --git a/${path} b/${path}`,
    "new file mode 100644",
    "--- /dev/null",
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}

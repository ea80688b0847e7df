// @modelcontextprotocol/server-filesystem as its users run it: a program over stdio, driven by the real SDK client.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export async function startServerFilesystem() {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-bench-files-"));
  const clients = [];
  const connect = async () => {
    const client = await connectStdio("server-filesystem", [folder]);
    clients.push(client);
    return new FilesystemClient(client, folder);
  };
  return {
    folder,
    connect,
    async stop() {
      for (const client of clients) await client.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A server of the reference set, by the name of its package. */
export async function connectStdio(name, args = [], env = {}) {
  const entry = join(import.meta.dirname, "..", "node_modules", "@modelcontextprotocol", name, "dist", "index.js");
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--no-warnings", entry, ...args],
      stderr: "ignore",
      env: { ...process.env, ...env },
    }),
  );
  return client;
}

class FilesystemClient {
  #client;
  #folder;

  constructor(client, folder) {
    this.#client = client;
    this.#folder = folder;
  }

  async call(name, args) {
    const result = await this.#client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content).slice(0, 500)}`);
    return result.content[0].text;
  }

  read(path) {
    return this.call("read_text_file", { path: join(this.#folder, path) });
  }

  edit(path, oldText, newText) {
    return this.call("edit_file", { path: join(this.#folder, path), edits: [{ oldText, newText }] });
  }

  async plant(files) {
    for (const { path, content } of files) {
      const target = join(this.#folder, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
  }
}

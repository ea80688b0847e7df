// @cloudflare/computer: a Workspace in the SQLite of a Durable Object, without a backend for commands.

import { DurableObject } from "cloudflare:workers";
import { Workspace } from "@cloudflare/computer";
import { peerWorker } from "./mcp-front.mjs";

export class ComputerObject extends DurableObject {
  workspace = new Workspace({ storage: this.ctx.storage });

  async write({ files }) {
    for (const { path, content } of files) {
      const directory = path.slice(0, path.lastIndexOf("/"));
      if (directory !== "") await this.workspace.fs.mkdir(directory, { recursive: true });
      await this.workspace.fs.writeFile(path, content);
    }
  }

  read({ path }) {
    return this.workspace.fs.readFile(path, "utf8");
  }

  /** As its own edit tool does: read, replace the one occurrence, write. */
  async edit({ path, old, new: replacement }) {
    const text = await this.workspace.fs.readFile(path, "utf8");
    const at = text.indexOf(old);
    if (at === -1 || text.indexOf(old, at + 1) !== -1) throw new Error("old must occur once");
    await this.workspace.fs.writeFile(path, text.slice(0, at) + replacement + text.slice(at + old.length));
    return { replaced: 1 };
  }

  grep({ query }) {
    return this.workspace.fs.grep(query, "/");
  }
}

export default peerWorker();

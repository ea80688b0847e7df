// @cloudflare/shell: a Workspace in the SQLite of a Durable Object.

import { DurableObject } from "cloudflare:workers";
import { FileSystemStateBackend, Workspace, WorkspaceFileSystem } from "@cloudflare/shell";
import { peerWorker } from "./mcp-front.mjs";

export class ShellObject extends DurableObject {
  workspace = new Workspace({ sql: this.ctx.storage.sql });
  state = new FileSystemStateBackend(new WorkspaceFileSystem(this.workspace));

  async write({ files }) {
    for (const { path, content } of files) await this.workspace.writeFile(path, content);
  }

  read({ path }) {
    return this.workspace.readFile(path);
  }

  edit({ path, old, new: replacement }) {
    return this.state.replaceInFile(path, old, replacement);
  }

  grep({ query }) {
    return this.state.searchFiles("/**/*", query);
  }
}

export default peerWorker();

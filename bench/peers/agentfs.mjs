// agentfs-sdk: a file system in one SQLite file, as a library in the caller's own program.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentFS } from "agentfs-sdk";

export async function openAgentFs() {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-bench-agentfs-"));
  const agent = await AgentFS.open({ path: join(folder, "files.db") });
  return {
    async plant(files) {
      for (const { path, content } of files) await agent.fs.writeFile(`/${path}`, content);
    },
    /** It has no edit of its own: read, replace, write. */
    async edit(path, old, replacement) {
      const text = await agent.fs.readFile(`/${path}`, "utf-8");
      const at = text.indexOf(old);
      if (at === -1) throw new Error("old was not found");
      await agent.fs.writeFile(`/${path}`, text.slice(0, at) + replacement + text.slice(at + old.length));
    },
    async stop() {
      await agent.close();
      await rm(folder, { recursive: true });
    },
  };
}

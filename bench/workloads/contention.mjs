// Workload 3: several agents edit one file at the same time, 2 000 edits in all. How many acknowledged edits are gone at the end?
import { signIn } from "../harness/holdfast.mjs";
import { timed, together } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { startServerFilesystem } from "../peers/server-filesystem.mjs";
import { startWorkerPeer } from "../peers/worker-peer.mjs";

const agentCounts = [2, 4, 16];
const edits = 2_000;
const first = "# log\n## end\n";
/** Every edit puts a line before the last one. */
const anchor = "## end";

export async function run() {
  const server = await startProduct();
  const [shell, computer] = await Promise.all(["shell", "computer"].map(startWorkerPeer));
  const filesystem = await startServerFilesystem();
  const figures = {};
  const asked = [];
  try {
    for (const count of agentCounts) {
      const path = `shared-${count}.md`;
      const contenders = {
        Holdfast: await oursOf(server, path, count),
        "server-filesystem": await filesystemOf(filesystem, path, count),
        shell: await workerOf(shell, path, count),
        computer: await workerOf(computer, path, count),
      };
      for (const [name, { agents, edit, read }] of Object.entries(contenders)) {
        const acknowledged = [];
        let refused = 0;
        const { ms } = await timed(() =>
          together(agents, edits, async (agent, index, number) => {
            const line = `agent ${index} edit ${number}`;
            if (await edit(agent, line)) acknowledged.push(line);
            else refused += 1;
          }),
        );
        const kept = new Set((await read()).split("\n"));
        const lost = acknowledged.filter((line) => !kept.has(line)).length;
        figures[`${name}, ${count} agents`] = {
          acknowledged: acknowledged.length,
          lost,
          refused,
          editsPerSecond: (edits / ms) * 1000,
        };
        if (name === "Holdfast") {
          asked.push({ text: `lost acknowledged edits, ${count} agents`, ratio: lost, most: 0 });
          asked.push({ text: `acknowledged of 2 000, ${count} agents`, ratio: acknowledged.length / edits, least: 1 });
        }
      }
    }
    return {
      title: "2 000 edits of one file by 2, 4 and 16 agents",
      figures,
      asked,
      notes: [
        "An agent of ours whose edit is refused takes the hash that comes with the change it has not seen, and tries again.",
        "server-filesystem runs once for each agent, on one folder; shell and computer serve all agents from one object.",
      ],
    };
  } finally {
    await Promise.all([server, shell, computer, filesystem].map((each) => each.stop()));
  }
}

async function oursOf(server, path, count) {
  const owner = await signIn(server.url, "crowd");
  const { hash } = await owner.ok("file.create", { path: `/${path}`, content: first });
  const agents = Array.from({ length: count }, () => ({ root: owner.fork(server.url), hash }));
  return {
    agents,
    async edit(agent, line) {
      for (;;) {
        const args = { path: `/${path}`, hash: agent.hash, line: -1, anchor, content: line };
        const { structuredContent: answer } = await agent.root.call("text.insert", args);
        if (answer.error === undefined) {
          agent.hash = answer.hash;
          return true;
        }
        if (answer.error.code !== "HASH_MISMATCH") throw new Error(JSON.stringify(answer.error));
        const shown = answer.error.details.current_hash;
        agent.hash = shown ?? (await agent.root.ok("text.read", { path: `/${path}`, lines: [1, 2] })).hash;
      }
    },
    read: async () => (await owner.ok("text.read", { path: `/${path}`, lines: [1, 0] })).content,
  };
}

async function filesystemOf(filesystem, path, count) {
  const agents = [];
  for (let index = 0; index < count; index++) agents.push(await filesystem.connect());
  await agents[0].plant([{ path, content: first }]);
  return {
    agents,
    edit: async (agent, line) => {
      try {
        await agent.edit(path, anchor, `${line}\n${anchor}`);
        return true;
      } catch {
        return false;
      }
    },
    read: () => agents[0].read(path),
  };
}

async function workerOf(peer, path, count) {
  const agents = Array.from({ length: count }, () => peer.client());
  await agents[0].plant([{ path, content: first }]);
  return {
    agents,
    edit: async (agent, line) => {
      await agent.call("edit", { path: `/${path}`, old: anchor, new: `${line}\n${anchor}` });
      return true;
    },
    read: () => agents[0].call("read", { path: `/${path}` }),
  };
}

// Workload 2: 10 000 edits in a row of one file, each guarded by the hash of the version before; 200 and 5 000 lines.
import { linesOf, randomFrom, seed } from "../generator.mjs";
import { signIn } from "../harness/holdfast.mjs";
import { sideBySide, timed } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { openAgentFs } from "../peers/agentfs.mjs";
import { startServerFilesystem } from "../peers/server-filesystem.mjs";
import { startWorkerPeer } from "../peers/worker-peer.mjs";

const sizes = [200, 5_000];
const rounds = 5;
const floorName = "floor: both hashes and one transaction";
/** With five rounds, 10 000 edits of each file by each contender. */
const editsPerRound = 2_000;

export async function run() {
  const server = await startProduct();
  const [shell, computer, floor] = await Promise.all(["shell", "computer", "floor"].map(startWorkerPeer));
  const filesystem = await startServerFilesystem();
  const agentfs = await openAgentFs();
  try {
    const root = await signIn(server.url, "editor", { era: "2026-07-28" });
    const local = await filesystem.connect();
    const peers = { shell: shell.client(), computer: computer.client(), floor: floor.client() };
    const figures = {};
    const asked = [];
    for (const size of sizes) {
      const path = `lines-${size}.txt`;
      const content = `${linesOf(size, size).join("\n")}\n`;
      let { hash } = await root.ok("file.create", { path: `/${path}`, content });
      for (const peer of [local, agentfs, peers.floor]) await peer.plant([{ path, content }]);
      for (const peer of [peers.shell, peers.computer]) {
        await peer.plant([
          { path, content },
          { path: `plain-${path}`, content },
        ]);
      }
      const edits = {
        Holdfast: async ({ line, old, replacement }) => {
          const args = { path: `/${path}`, hash, lines: [line, line + 1], old, new: replacement };
          ({ hash } = await root.ok("text.replace", args));
        },
        "server-filesystem": ({ old, replacement }) => local.edit(path, old, replacement),
        "shell, MCP": ({ old, replacement }) => peers.shell.mcp("edit", { path: `/${path}`, old, new: replacement }),
        "computer, MCP": ({ old, replacement }) =>
          peers.computer.mcp("edit", { path: `/${path}`, old, new: replacement }),
        "shell, plain HTTP": ({ old, replacement }) =>
          peers.shell.call("edit", { path: `/plain-${path}`, old, new: replacement }),
        "computer, plain HTTP": ({ old, replacement }) =>
          peers.computer.call("edit", { path: `/plain-${path}`, old, new: replacement }),
        [floorName]: ({ old, replacement }) =>
          peers.floor.structured("edit", { path: `/${path}`, old, new: replacement }),
        "agentfs-sdk, in process": ({ old, replacement }) => agentfs.edit(path, old, replacement),
      };
      const contenders = Object.fromEntries(
        Object.entries(edits).map(([name, edit]) => [`${name}, ${size} lines`, editing(content, edit)]),
      );
      const found = await sideBySide(contenders, { rounds });
      for (const figure of Object.values(found)) figure.unit = "edits/s";
      Object.assign(figures, found);
      const ours = found[`Holdfast, ${size} lines`].median;
      for (const [name, { median }] of Object.entries(found)) {
        if (!name.startsWith("Holdfast") && !name.startsWith(floorName))
          asked.push({ text: `edits/s, ours : ${name}`, ours, peer: median, least: 1 });
      }
    }
    return {
      title: "10 000 guarded edits in a row",
      figures,
      asked,
      notes: [
        "Ours checks the hash of the version before and writes durably, through MCP with a token; no peer checks a hash.",
        "The floor is a bare Worker and object with our answer: one RPC, SHA-256 and git's SHA-1 of the content, one transaction that stores it and the file's row. It checks no token, scope, line or hash, and keeps no history.",
        "shell and computer have no server of their own: `MCP` puts the SDK's stateless transport before them, without tokens; `plain HTTP` is one RPC and its JSON. agentfs-sdk is called in process, without any wire.",
      ],
    };
  } finally {
    await Promise.all([server, shell, computer, floor, filesystem, agentfs].map((each) => each.stop()));
  }
}

/** A round of edits, each of one line, which every contender is given in the same order; gives edits per second. */
function editing(content, edit) {
  const lines = content.slice(0, -1).split("\n");
  const random = randomFrom(seed + lines.length);
  let made = 0;
  return async (round) => {
    const count = round < 0 ? editsPerRound / 10 : editsPerRound;
    const { ms } = await timed(async () => {
      for (let index = 0; index < count; index++) {
        const at = Math.floor(random() * lines.length);
        const old = lines[at];
        lines[at] = `line ${at}: edit ${++made}`;
        await edit({ line: at + 1, old, replacement: lines[at] });
      }
    });
    return (count / ms) * 1000;
  };
}

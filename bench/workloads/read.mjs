// Workload 1: one client reads a file of 10 KB, again and again.
import { textOf } from "../generator.mjs";
import { signIn } from "../harness/holdfast.mjs";
import { medianOf, sideBySide } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { connectSdk } from "../peers/holdfast-sdk.mjs";
import { startServerFilesystem } from "../peers/server-filesystem.mjs";
import { startWorkerPeer } from "../peers/worker-peer.mjs";

const path = "notes.md";
const content = textOf(1, 10_000);
const callsPerRound = 400;

export async function run() {
  const server = await startProduct();
  const [shell, computer, bare, floor] = await Promise.all(
    ["shell", "computer", "bare-rpc", "floor"].map(startWorkerPeer),
  );
  const filesystem = await startServerFilesystem();
  try {
    const modern = await signIn(server.url, "reader", { era: "2026-07-28" });
    const session = await signIn(server.url, "reader");
    const sdk = await connectSdk(server.url, session.token);
    const local = await filesystem.connect();
    const peers = { shell: shell.client(), computer: computer.client(), bare: bare.client(), floor: floor.client() };
    await session.ok("file.create", { path: `/${path}`, content });
    await local.plant([{ path, content }]);
    for (const client of Object.values(peers)) await client.plant([{ path, content }]);

    const ours = (root) => async () => equal((await root.ok("text.read", { path: `/${path}` })).content);
    const calls = {
      "Holdfast, HTTP client, 2026-07-28": ours(modern),
      "Holdfast, HTTP client, 2025-11-25": ours(session),
      "Holdfast, SDK client": async () => {
        const { structuredContent } = await sdk.callTool({ name: "text.read", arguments: { path: `/${path}` } });
        equal(structuredContent.content);
      },
      "server-filesystem, SDK client, stdio": async () => equal(await local.read(path)),
      "shell, MCP": async () => equal(await peers.shell.mcp("read", { path: `/${path}` })),
      "computer, MCP": async () => equal(await peers.computer.mcp("read", { path: `/${path}` })),
      "shell, plain HTTP": async () => equal(await peers.shell.call("read", { path: `/${path}` })),
      "computer, plain HTTP": async () => equal(await peers.computer.call("read", { path: `/${path}` })),
      "floor: a bare Worker and object with our answer": async () =>
        equal((await peers.floor.structured("read", { path: `/${path}` })).content),
      "bare Durable Object RPC, plain HTTP": async () => equal(await peers.bare.call("read", { path: `/${path}` })),
    };
    const contenders = Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [name, () => medianOf(callsPerRound, call)]),
    );
    const figures = await sideBySide(contenders, { rounds: 9, warmUps: 2 });
    for (const figure of Object.values(figures)) figure.unit = "ms p50";
    return { title: "read 10 KB over MCP, 1 client, p50", figures, asked: asked(figures), notes };
  } finally {
    await Promise.all([server, shell, computer, bare, floor, filesystem].map((each) => each.stop()));
  }
}

const notes = [
  "shell and computer have no server of their own: `MCP` puts the SDK's stateless transport in front of their object, without tokens; `plain HTTP` is one RPC and its JSON.",
  "The floor gives an answer of our shape (the content as structure and as text, as MCP has it) after one RPC, and does nothing else: 0.7 × shell lies below it, because the peers' answers hold the content once.",
  "Ours asks the object whether the text is still the one that the Worker has given before, so less crosses than in the floor; tokens, scopes and arguments take that time again.",
  "The SDK client over HTTP uses fetch of Node, which alone takes longer than our answer; the HTTP client is a socket and a parser.",
];

function asked(figures) {
  const against = (text, ours, peer, most) => ({ text, ours: figures[ours].median, peer: figures[peer].median, most });
  const ours = "Holdfast, HTTP client, 2026-07-28";
  return [
    against("ours : server-filesystem", ours, "server-filesystem, SDK client, stdio", 1.5),
    against(
      "ours : server-filesystem, both by the SDK client",
      "Holdfast, SDK client",
      "server-filesystem, SDK client, stdio",
      1.5,
    ),
    against("ours : shell, both MCP", ours, "shell, MCP", 0.7),
    against("ours : computer, both MCP", ours, "computer, MCP", 0.7),
    {
      text: "requests/s, ours : bare Durable Object RPC",
      ratio: figures["bare Durable Object RPC, plain HTTP"].median / figures[ours].median,
      least: 0.4,
    },
  ];
}

function equal(text) {
  if (text !== content) throw new Error(`another content came: ${String(text).slice(0, 100)}`);
}

// Workload 9: 64 users at once, each in a root of their own: of 10 calls 7 read, 2 edit, 1 searches.
import { filesOf, pathOf, randomFrom, seed } from "../generator.mjs";
import { plant, signIn } from "../harness/holdfast.mjs";
import { percentile, sideBySide, timed } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { startWorkerPeer } from "../peers/worker-peer.mjs";

const userCount = 64;
const filesPerUser = 40;
const fileBytes = 5_000;
const callsPerRound = 6_400;
const searched = "zanzibar-lighthouse";

export async function run() {
  const server = await startProduct();
  const [shell, computer, floor] = await Promise.all(["shell", "computer", "floor"].map(startWorkerPeer));
  try {
    const files = [...filesOf(filesPerUser, fileBytes)].map(({ path, content }, index) => ({
      path,
      content: `mark 0\n${content}${index === 7 ? `${searched}\n` : ""}`,
    }));
    const crowds = {
      Holdfast: await oursOf(server, files),
      "shell, MCP": await workerOf(shell, files, "mcp"),
      "computer, MCP": await workerOf(computer, files, "mcp"),
      "shell, plain HTTP": await workerOf(shell, files, "call"),
      "computer, plain HTTP": await workerOf(computer, files, "call"),
      floor: await workerOf(floor, files, "structured"),
    };
    const latencies = Object.fromEntries(Object.keys(crowds).map((name) => [name, []]));
    const contenders = Object.fromEntries(
      Object.entries(crowds).map(([name, users]) => [name, (round) => crowd(users, round, latencies[name])]),
    );
    const found = await sideBySide(contenders, { rounds: 5 });
    const figures = {};
    for (const [name, figure] of Object.entries(found)) {
      figures[`${name}: edits/s`] = { ...figure, unit: "edits/s" };
      const p99 = latencies[name].map((times) => percentile(times, 99));
      figures[`${name}: p99`] = {
        median: percentile(p99, 50),
        least: Math.min(...p99),
        most: Math.max(...p99),
        unit: "ms",
      };
    }
    const best = (suffix, kind, pick) =>
      pick(...["shell", "computer"].map((name) => figures[`${name}, ${kind}: ${suffix}`].median));
    const against = (kind) => [
      {
        text: `edits/s, ours : the better of shell and computer, ${kind}`,
        ours: figures["Holdfast: edits/s"].median,
        peer: best("edits/s", kind, Math.max),
        least: 1.5,
      },
      {
        text: `p99, ours : the better of shell and computer, ${kind}`,
        ours: figures["Holdfast: p99"].median,
        peer: best("p99", kind, Math.min),
        most: 1,
      },
    ];
    return {
      title: "64 users, 70/20/10 read/edit/search",
      figures,
      asked: [...against("MCP"), ...against("plain HTTP")],
      notes: [
        "One client for each user, all in one program. Only ours has tokens, hashes and versions to check and to keep.",
        "The floor is a bare Worker and object with our answers: one RPC, both hashes and one transaction for an edit, texts that are searched in memory, and a row for a lease. It checks no token, scope, line or hash, and keeps no history.",
        "64 calls at once: p99 is the first call of a user in a round, whose object has to wake, and calls that the runtime leaves waiting while others go before them, in every contender.",
      ],
    };
  } finally {
    await Promise.all([server, shell, computer, floor].map((each) => each.stop()));
  }
}

/** All users at once, each with the same share of the calls; gives edits per second. */
async function crowd(users, round, latencies) {
  const times = [];
  let edits = 0;
  const { ms } = await timed(() =>
    Promise.all(
      users.map(async (user, index) => {
        const random = randomFrom(seed + 1000 * (round + 2) + index);
        for (let call = 0; call < callsPerRound / userCount; call++) {
          const file = Math.floor(random() * filesPerUser);
          const kind = random();
          if (kind >= 0.7 && kind < 0.9) edits += 1;
          const start = performance.now();
          await (kind < 0.7 ? user.read(file) : kind < 0.9 ? user.edit(file) : user.search());
          times.push(performance.now() - start);
        }
      }),
    ),
  );
  if (round >= 0) latencies.push(times);
  return (edits / ms) * 1000;
}

async function oursOf(server, files) {
  const users = [];
  for (let index = 0; index < userCount; index++) {
    const root = await signIn(server.url, `crowd-${index}`, { era: "2026-07-28" });
    await plant(root, files);
    const known = new Map();
    users.push({
      read: (file) => root.ok("text.read", { path: `/${pathOf(file)}` }),
      async edit(file) {
        const path = `/${pathOf(file)}`;
        const { hash, count } = known.get(file) ?? { hash: (await root.ok("text.read", { path })).hash, count: 0 };
        const args = { path, hash, lines: [1, 2], old: `mark ${count}`, new: `mark ${count + 1}` };
        known.set(file, { hash: (await root.ok("text.replace", args)).hash, count: count + 1 });
      },
      search: () => root.ok("snapshot.grep", { query: searched }),
    });
  }
  return users;
}

async function workerOf(peer, files, way) {
  const users = [];
  for (let index = 0; index < userCount; index++) {
    const client = peer.client(`${way}-${index}`);
    await client.plant(files);
    const counts = new Map();
    users.push({
      read: (file) => client[way]("read", { path: `/${pathOf(file)}` }),
      edit(file) {
        const count = counts.get(file) ?? 0;
        counts.set(file, count + 1);
        return client[way]("edit", { path: `/${pathOf(file)}`, old: `mark ${count}\n`, new: `mark ${count + 1}\n` });
      },
      search: () => client[way]("grep", { query: searched }),
    });
  }
  return users;
}

// Workload 4: search 5 000 files, 50 MB, for literals and expressions; our matches must be those of ripgrep.
import { Bash, InMemoryFs } from "just-bash";
import { filesOf, randomFrom, seed } from "../generator.mjs";
import { plant, signIn } from "../harness/holdfast.mjs";
import { sideBySide, timed } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { plantFolder } from "../peers/folder.mjs";
import { findRipgrep, runProgram, versionOf } from "../peers/program.mjs";
import { startWorkerPeer } from "../peers/worker-peer.mjs";

const fileCount = 5_000;
const maxMatches = 10_000;

/** What is looked for; `text` is in the syntax of all contenders. */
const queries = {
  "rare literal": { text: "zanzibar-lighthouse", regex: false },
  "common literal": { text: "lantern", regex: false },
  "(?i)": { text: "ZANZIBAR-light", regex: true, ignoreCase: true },
  alternation: { text: "zanzibar-lighthouse|quicksilver-ledger|emberfall", regex: true },
  class: { text: "zanzibar-[a-z]+[0-9]{3}", regex: true },
  pathological: { text: "(a+)+$", regex: true, limit: 1_000 },
  "ordinary, for the pathological one": { text: "a+$", regex: true, limit: 1_000 },
};

export async function run() {
  const server = await startProduct();
  const [shell, floor] = await Promise.all(["shell", "floor"].map(startWorkerPeer));
  const files = [...corpus()];
  const { folder, remove } = plantFolder(files);
  const notes = [];
  try {
    const root = await signIn(server.url, "searcher");
    await plant(root, files);
    const shellClient = shell.client();
    await shellClient.plant(files);
    const floorClient = floor.client();
    await floorClient.plant(files);
    const bash = new Bash({
      fs: new InMemoryFs(Object.fromEntries(files.map(({ path, content }) => [`/data/${path}`, content]))),
      cwd: "/data",
    });
    const rg = findRipgrep();
    if (rg === null) notes.push("ripgrep was not found: its lines are missing.");
    const figures = {};
    for (const [name, query] of Object.entries(queries)) {
      const contenders = { Holdfast: () => ours(root, query) };
      if (rg !== null) {
        await compare(root, rg, folder, name, query);
        contenders.ripgrep = () => program(rg, rgArguments(query), folder);
      }
      contenders["GNU grep"] = () => program("grep", grepArguments(query), folder);
      if (name === "rare literal" || name === "class") {
        contenders["just-bash, in process"] = () => justBash(bash, query);
        if (!query.regex) contenders["shell, plain HTTP"] = () => byShell(shellClient, query);
      }
      if (!query.regex) {
        contenders["floor: texts out of SQLite, and indexOf"] = async () =>
          (await timed(() => floorClient.call("count", { query: query.text }))).ms;
      }
      const found = await sideBySide(contenders, { rounds: 7, warmUps: 2 });
      for (const [contender, figure] of Object.entries(found)) {
        figures[`${name}: ${contender}`] = { ...figure, unit: "ms" };
      }
    }
    notes.push(
      `${rg === null ? "no ripgrep" : versionOf(rg)}; ${versionOf("grep")}. The files are warm in the page cache.`,
    );
    notes.push(
      "The pathological query and its ordinary counterpart give 1 000 matches of ours; ripgrep and grep print all of theirs.",
    );
    notes.push(
      "The floor reads every text out of SQLite in one query and counts what the platform's indexOf finds, in an object like ours: no lines, no columns, no ignore rules, no lease, and an answer of one number. Ours reads only texts that may have a match.",
    );
    notes.push("Matches of ours were held against ripgrep's, path, line and text, for every query.");
    return { title: "search 5 000 files, 50 MB", figures, asked: asked(figures), notes };
  } finally {
    remove();
    await Promise.all([server, shell, floor].map((each) => each.stop()));
  }
}

/** Prose with a word in 8 000 places and a few others in few. */
function* corpus() {
  const random = randomFrom(seed + 4);
  const rare = ["zanzibar-lighthouse", "quicksilver-ledger", "emberfall", "zanzibar-port417", "Zanzibar-Lights"];
  for (const { path, content } of filesOf(fileCount, 10_000, "txt")) {
    const isMarked = random() < 0.004;
    const mark = rare[Math.floor(random() * rare.length)];
    const lines = content.split("\n");
    for (let count = random() * 3.2; count >= 0.5; count--) {
      const at = Math.floor(random() * (lines.length - 1));
      if (!lines[at].endsWith("lantern")) lines[at] += " lantern";
    }
    yield { path, content: isMarked ? `${lines.join("\n")}here is ${mark} once\n` : lines.join("\n") };
  }
}

async function ours(root, query) {
  return (await timed(() => search(root, query))).ms;
}

function search(root, { text, regex, ignoreCase = false, limit }) {
  const max_matches = limit ?? maxMatches;
  return root.ok("snapshot.grep", { query: text, regex, case_sensitive: !ignoreCase, max_matches });
}

function rgArguments({ text, regex, ignoreCase = false }) {
  return [
    "--no-heading",
    "-n",
    "--no-ignore",
    ...(regex ? [] : ["-F"]),
    ...(ignoreCase ? ["-i"] : []),
    "-e",
    text,
    ".",
  ];
}

function grepArguments({ text, regex, ignoreCase = false }) {
  return ["-rn", regex ? "-E" : "-F", ...(ignoreCase ? ["-i"] : []), "-e", text, "."];
}

async function program(command, args, cwd) {
  return (await timed(() => runProgram(command, args, { cwd, codes: [0, 1] }))).ms;
}

async function justBash(bash, { text, regex }) {
  return (await timed(() => bash.exec(`grep -rn ${regex ? "-E" : "-F"} -e '${text}' .`))).ms;
}

async function byShell(client, { text }) {
  return (await timed(() => client.call("grep", { query: text }))).ms;
}

/** The same places as ripgrep names them, path, line and text; of a limited query, so many of them. */
async function compare(root, rg, folder, name, query) {
  const { matches } = await search(root, query);
  const given = matches.flatMap(({ path, lines }) => lines.map(({ line, text }) => `./${path}:${line}:${text}`));
  const printed = await runProgram(rg, rgArguments(query), { cwd: folder, codes: [0, 1] });
  const wanted = new Set(printed.split("\n").filter((line) => line !== ""));
  const count = Math.min(query.limit ?? maxMatches, wanted.size);
  if (given.length !== count || new Set(given).size !== count || given.some((line) => !wanted.has(line))) {
    throw new Error(`${name}: ${given.length} matches of ours, ${wanted.size} of ripgrep, or others`);
  }
}

function asked(figures) {
  const at = (query, contender) => figures[`${query}: ${contender}`]?.median;
  if (at("rare literal", "ripgrep") === undefined) return [];
  const against = (query, most) => ({
    text: `${query}, ours : ripgrep`,
    ours: at(query, "Holdfast"),
    peer: at(query, "ripgrep"),
    most,
  });
  return [
    against("rare literal", 0.2),
    against("common literal", 1.2),
    against("(?i)", 3),
    against("alternation", 3),
    against("class", 3),
    {
      text: "pathological : ordinary, ours",
      ours: at("pathological", "Holdfast"),
      peer: at("ordinary, for the pathological one", "Holdfast"),
      most: 2,
    },
  ];
}

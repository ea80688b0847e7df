// Workload 8: the best documents of 5 000 for a query, within a budget of tokens; the same bytes each time.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import lunr from "lunr";
import MiniSearch from "minisearch";
import { filesOf, randomFrom, seed, word } from "../generator.mjs";
import { plant, signIn } from "../harness/holdfast.mjs";
import { medianOf, sideBySide, timed } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { plantFolder } from "../peers/folder.mjs";

const documentCount = 5_000;
const budget = 4_000;

export async function run() {
  const server = await startProduct();
  const documents = [...filesOf(documentCount, 2_000)];
  const { folder, remove } = plantFolder(
    documents.map(({ path, content }) => ({ path: path.replaceAll("/", "_"), content })),
  );
  try {
    const root = await signIn(server.url, "resolver");
    await plant(
      root,
      documents.map(({ path, content }) => ({ path: `docs/${path}`, content })),
    );
    const build = await timed(() => root.ok("context.build_cache", { cache: "bench", sources: "/docs" }));
    const random = randomFrom(seed + 8);
    const queries = Array.from({ length: 20 }, () => `${word(random)} ${word(random)} ${word(random)}`);
    const resolve = async (query) =>
      (await root.call("context.resolve", { cache: "bench", query, budget })).content[0].text;
    const first = await timed(() => resolve(queries[0]));
    for (const query of queries) await judge(resolve, query, folder);

    const mini = new MiniSearch({ fields: ["content"], idField: "path" });
    mini.addAll(documents);
    const lunrIndex = lunr(function () {
      this.ref("path");
      this.field("content");
      for (const document of documents) this.add(document);
    });
    const figures = await sideBySide(
      {
        "Holdfast, warm resolve": () => medianOf(queries.length, (index) => resolve(queries[index])),
        "plain scan of the files": () => medianOf(3, (index) => scan(folder, queries[index])),
        "minisearch, in process": () => medianOf(queries.length, (index) => mini.search(queries[index])),
        "lunr, in process": () => medianOf(queries.length, (index) => lunrIndex.search(queries[index])),
      },
      { rounds: 7 },
    );
    for (const figure of Object.values(figures)) figure.unit = "ms";
    figures["Holdfast, building the cache once"] = { ms: build.ms };
    figures["Holdfast, first resolve"] = { ms: first.ms };
    return {
      title: "context over 5 000 documents, 10 MB",
      figures,
      asked: [
        {
          text: "warm resolve, ours : plain scan",
          ours: figures["Holdfast, warm resolve"].median,
          peer: figures["plain scan of the files"].median,
          most: 0.1,
        },
      ],
      notes: [
        "Every answer came twice with the same bytes, and named the documents, scores and contents that the plain scan names.",
        "minisearch and lunr hold their index in memory, rank otherwise, and give no contents.",
      ],
    };
  } finally {
    remove();
    await server.stop();
  }
}

/** Twice the same bytes, and what a scan written for this purpose selects. */
async function judge(resolve, query, folder) {
  const text = await resolve(query);
  if (text !== (await resolve(query))) throw new Error(`two answers to ${query}`);
  const given = JSON.parse(text).documents.map(({ id, score, content }) => [
    id.replaceAll("/", "_"),
    Math.fround(score),
    content,
  ]);
  if (JSON.stringify(given) !== JSON.stringify(scan(folder, query))) throw new Error(`other documents for ${query}`);
}

/** Reads every file, counts words, sorts, and fills the budget: what a script without an index would do. */
function scan(folder, query) {
  const terms = new Set(query.split(" "));
  const scored = readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    const content = bytes.toString("utf8");
    const found = content
      .toLowerCase()
      .split(/\s+/)
      .filter((each) => each !== "");
    const matches = found.filter((each) => terms.has(each)).length;
    return { id: name, content, score: Math.fround(matches / found.length), tokens: Math.ceil(bytes.length / 4) };
  });
  const order = (name) => Buffer.from(name.replaceAll("_", "/"));
  scored.sort((left, right) => right.score - left.score || Buffer.compare(order(left.id), order(right.id)));
  let used = 0;
  const chosen = [];
  for (const { id, content, score, tokens } of scored) {
    if (used + tokens > budget) continue;
    used += tokens;
    chosen.push([id, score, content]);
  }
  return chosen;
}

// How cost grows with the size of a root: reads, edits, lease checks, a list and a search at 100 to 50 000 files.
import { filesOf, pathOf } from "../generator.mjs";
import { plant, signIn } from "../harness/holdfast.mjs";
import { medianOf, sideBySide } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";

export const title = "how cost grows with the number of files";

const sizes = [100, 1_000, 10_000, 50_000];
const fileBytes = 1_000;
const callsPerRound = 60;

export async function run() {
  const server = await startProduct();
  try {
    const bySize = [];
    for (const size of sizes) {
      const root = await signIn(server.url, `growth-${size}`);
      await plant(root, filesOf(size, fileBytes));
      bySize.push(await operationsOn(root));
    }
    // One operation at all sizes, then the next one: what is compared is measured within seconds.
    const contenders = {};
    for (const operation of Object.keys(bySize[0])) {
      for (const [index, size] of sizes.entries()) contenders[`${operation}, ${size} files`] = bySize[index][operation];
    }
    const figures = await sideBySide(contenders, { rounds: 9 });
    for (const figure of Object.values(figures)) figure.unit = "ms";
    const growth = (operation, from, to) => ({
      text: `${operation}, ${to} files : ${from} files`,
      ours: figures[`${operation}, ${to} files`].median,
      peer: figures[`${operation}, ${from} files`].median,
      most: 1.3,
    });
    return {
      title,
      figures,
      asked: [
        growth("lease check", 100, 10_000),
        growth("lease check after an edit", 100, 10_000),
        growth("read", 100, 50_000),
        growth("edit", 100, 50_000),
        growth("lease check", 100, 50_000),
        growth("list of a directory", 100, 50_000),
      ],
      notes: [
        "A round is the median of 60 calls; a search runs once per round, over at most 20 000 files (the limit of one call).",
        "A lease check is snapshot.file under a lease; after an edit, the lease is new and its fingerprint computed anew.",
      ],
    };
  } finally {
    await server.stop();
  }
}

async function operationsOn(root) {
  const path = pathOf(49);
  const directory = path.slice(0, path.lastIndexOf("/"));
  let { hash } = await root.ok("text.read", { path: `/${path}` });
  const edit = async (index) => {
    ({ hash } = await root.ok("text.append", { path: `/${path}`, hash, content: `line ${index}` }));
  };
  return {
    read: () => medianOf(callsPerRound, () => root.ok("text.read", { path: `/${path}` })),
    edit: () => medianOf(callsPerRound, edit),
    "lease check": async () => {
      const { lease_id } = await root.ok("snapshot.file", { path });
      return medianOf(callsPerRound, () => root.ok("snapshot.file", { path, lease_id }));
    },
    "lease check after an edit": async () => {
      const times = [];
      for (let index = 0; index < callsPerRound; index++) {
        await edit(index);
        times.push(await medianOf(1, () => root.ok("snapshot.file", { path })));
      }
      return times.sort((a, b) => a - b)[times.length >> 1];
    },
    "list of a directory": () => medianOf(callsPerRound, () => root.ok("file.list", { path: `/${directory}` })),
    "search of everything, rare word": () =>
      medianOf(1, () => root.ok("snapshot.grep", { query: "line 59", max_files: 20_000 })),
  };
}

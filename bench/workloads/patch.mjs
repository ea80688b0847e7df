// Workload 6: one patch of 200 hunks in a file, and one of 200 files with a hunk each.
import { join } from "node:path";
import { linesOf, pathOf } from "../generator.mjs";
import { plant, signIn } from "../harness/holdfast.mjs";
import { sideBySide, timed } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { plantFolder, writeInto } from "../peers/folder.mjs";
import { runProgram, versionOf } from "../peers/program.mjs";

const shapes = {
  "200 hunks in one file": [{ path: "big/one.txt", lines: linesOf(1, 5_000), every: 25 }],
  "200 files with one hunk": Array.from({ length: 200 }, (_, index) => ({
    path: pathOf(index, "txt"),
    lines: linesOf(index + 2, 120),
    every: 120,
  })),
};

export async function run() {
  const server = await startProduct();
  const figures = {};
  const asked = [];
  try {
    for (const [shape, specs] of Object.entries(shapes)) {
      const before = specs.map(({ path, lines }) => ({ path, content: `${lines.join("\n")}\n` }));
      const after = specs.map(({ path, lines, every }) => ({ path, content: `${changed(lines, every).join("\n")}\n` }));
      const { folder, remove } = plantFolder([]);
      try {
        writeInto(join(folder, "a"), before);
        writeInto(join(folder, "b"), after);
        const forth = await diff(folder, "a", "b");
        const back = await diff(folder, "b", "a");
        const root = await signIn(server.url, `patcher-${specs.length}`);
        await plant(root, before);
        let lease = (await root.ok("snapshot.list", { limit: 1 })).lease_id;
        const from = (await root.ok("snapshot.create", { paths: ["."] })).snapshot_id;
        const ours = async (patch) => {
          const answer = await root.ok("workspace.apply_patch", { patch, lease_id: lease });
          if (!answer.applied) throw new Error("not applied");
          lease = answer.lease_id;
        };
        writeInto(join(folder, "git"), before);
        writeInto(join(folder, "patch"), before);
        const program = (command, args, name) => (input) =>
          runProgram(command, args, { cwd: join(folder, name), input });
        const contenders = {
          Holdfast: ours,
          "git apply": program("git", ["apply", "-"], "git"),
          patch: program("patch", ["-p1", "-s"], "patch"),
        };
        // Forth and back, so that every round finds what it began with.
        const found = await sideBySide(
          Object.fromEntries(
            Object.entries(contenders).map(([name, apply]) => [
              name,
              async () => ((await timed(() => apply(forth))).ms + (await timed(() => apply(back))).ms) / 2,
            ]),
          ),
          { rounds: 15, warmUps: 3 },
        );
        await ours(forth);
        const to = (await root.ok("snapshot.create", { paths: ["."] })).snapshot_id;
        const made = await sideBySide(
          {
            "Holdfast, snapshot.diff": async () =>
              (await timed(() => root.ok("snapshot.diff", { snapshot_id: to, from_snapshot_id: from }))).ms,
            diff: async () =>
              (await timed(() => runProgram("diff", ["-ru", "a", "b"], { cwd: folder, codes: [0, 1] }))).ms,
          },
          { rounds: 9, warmUps: 2 },
        );
        for (const [name, figure] of Object.entries(found)) figures[`${shape}: ${name}`] = { ...figure, unit: "ms" };
        for (const [name, figure] of Object.entries(made)) {
          figures[`${shape}, making the diff: ${name}`] = { ...figure, unit: "ms" };
        }
        asked.push({
          text: `${shape}, ours : git apply`,
          ours: found.Holdfast.median,
          peer: found["git apply"].median,
          most: 2,
        });
      } finally {
        remove();
      }
    }
    const notes = [`${versionOf("git")}; ${versionOf("patch")}; ${versionOf("diff")}.`];
    return { title: "apply a patch", figures, asked, notes };
  } finally {
    await server.stop();
  }
}

function changed(lines, every) {
  return lines.map((line, index) => (index % every === Math.floor(every / 2) ? `${line} changed` : line));
}

/** As git prints it. */
async function diff(folder, left, right) {
  const text = await runProgram("git", ["diff", "--no-index", "--no-color", left, right], {
    cwd: folder,
    codes: [0, 1],
  });
  return text.replaceAll(`a/${left}/`, "a/").replaceAll(`b/${right}/`, "b/");
}

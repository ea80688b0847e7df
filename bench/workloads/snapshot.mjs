// Workload 5: snapshots of 10 000 files: the first, one after 100 changes, the diff between them, a restore, an export.
import fs from "node:fs";
import { join } from "node:path";
import isomorphicGit from "isomorphic-git";
import { filesOf, pathOf } from "../generator.mjs";
import { plant, signIn } from "../harness/holdfast.mjs";
import { sideBySide, timed } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { plantFolder } from "../peers/folder.mjs";
import { runProgram, versionOf } from "../peers/program.mjs";

const fileCount = 10_000;
const fileBytes = 600;
const changeCount = 100;
const rounds = 5;
const steps = ["create of 10 000 files", "create after 100 changes", "diff", "restore", "export of 4 000 files"];
const exported = ["area-0", "area-1", "area-2", "area-3"];

export async function run() {
  let server;
  const files = [...filesOf(fileCount, fileBytes)];
  const { folder, remove } = plantFolder(files);
  try {
    const figures = {};
    const measure = async (name, contender) => {
      for (const step of steps) {
        const { [name]: figure } = await sideBySide({ [name]: (round) => contender[step](round) }, { rounds });
        figures[`${step}: ${name}`] = { ...figure, unit: "ms" };
      }
    };
    // Peers first: what our server copies in the background afterwards must not slow them down.
    await measure("git", new Git(folder));
    const isomorphic = await new IsomorphicGit(folder).create();
    figures["create of 10 000 files: isomorphic-git, one round"] = { ms: isomorphic };
    server = await startProduct();
    await measure("Holdfast", new Ours(server, files));
    const against = (step, most) => ({
      text: `${step}, ours : git`,
      ours: figures[`${step}: Holdfast`].median,
      peer: figures[`${step}: git`].median,
      most,
    });
    return {
      title: "snapshots of 10 000 files",
      figures,
      asked: [against("create of 10 000 files", 0.5), against("create after 100 changes", 1)],
      notes: [
        `${versionOf("git")}: \`git add -A && git commit\`, \`git diff\`, \`git checkout\`, \`git archive\`; a new repository for each first commit.`,
        "A first snapshot of ours is that of a new user each time. isomorphic-git adds file by file and takes so long that it runs once.",
        "The lease check at 100 to 50 000 files is part of the workload `growth`.",
      ],
    };
  } finally {
    remove();
    await server?.stop();
  }
}

async function ms(work) {
  return (await timed(work)).ms;
}

class Ours {
  #server;
  #files;
  #root;
  #snapshots = [];

  constructor(server, files) {
    this.#server = server;
    this.#files = files;
  }

  async "create of 10 000 files"(round) {
    this.#root = await signIn(this.#server.url, `historian-${round}`);
    await plant(this.#root, this.#files);
    return this.#create();
  }

  async "create after 100 changes"(round) {
    for (const path of changedPaths()) {
      const { hash } = await this.#root.ok("text.read", { path: `/${path}`, lines: [1, 2] });
      await this.#root.ok("text.append", { path: `/${path}`, hash, content: `round ${round}\n` });
    }
    return this.#create();
  }

  diff() {
    const [from_snapshot_id, snapshot_id] = this.#snapshots.slice(-2);
    return ms(() => this.#root.ok("snapshot.diff", { snapshot_id, from_snapshot_id }));
  }

  async restore(round) {
    const snapshot_id = this.#snapshots.at(round % 2 === 0 ? -1 : -2);
    const { lease_id } = await this.#root.ok("snapshot.list", { limit: 1 });
    return ms(() => this.#root.ok("workspace.restore", { snapshot_id, lease_id }));
  }

  "export of 4 000 files"() {
    return ms(() => this.#root.ok("snapshot.export", { snapshot_id: this.#snapshots.at(-1), paths: exported }));
  }

  async #create() {
    const { ms: time, value } = await timed(() => this.#root.ok("snapshot.create", { paths: ["."] }));
    this.#snapshots.push(value.snapshot_id);
    return time;
  }
}

class Git {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  async "create of 10 000 files"() {
    fs.rmSync(join(this.#folder, ".git"), { recursive: true, force: true });
    await this.#git("init", "-q");
    return this.#commit();
  }

  async "create after 100 changes"(round) {
    for (const path of changedPaths()) fs.appendFileSync(join(this.#folder, path), `round ${round}\n`);
    return this.#commit();
  }

  diff() {
    return ms(() => this.#git("diff", "HEAD~1", "HEAD"));
  }

  restore(round) {
    return ms(() => this.#git("checkout", "-q", round % 2 === 0 ? "HEAD" : "HEAD~1", "--", "."));
  }

  "export of 4 000 files"() {
    return ms(() => this.#git("archive", "--format=tar", "HEAD", ...exported));
  }

  #commit() {
    return ms(async () => {
      await this.#git("add", "-A");
      await this.#git("commit", "-q", "-m", "bench");
    });
  }

  #git(...args) {
    return runProgram("git", ["-c", "gc.auto=0", ...args], { cwd: this.#folder });
  }
}

class IsomorphicGit {
  #dir;

  constructor(dir) {
    this.#dir = dir;
  }

  async create() {
    fs.rmSync(join(this.#dir, ".git"), { recursive: true, force: true });
    await isomorphicGit.init({ fs, dir: this.#dir });
    return ms(async () => {
      await isomorphicGit.add({ fs, dir: this.#dir, filepath: "." });
      const author = { name: "bench", email: "bench@example.com" };
      await isomorphicGit.commit({ fs, dir: this.#dir, message: "bench", author });
    });
  }
}

/** Spread over the whole tree. */
function changedPaths() {
  return Array.from({ length: changeCount }, (_, index) => pathOf(index * (fileCount / changeCount) + 3));
}

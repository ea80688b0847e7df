// Workload 7: an archive of 5 000 entries, 20 MB: open it to its files, and write ten changed ones back.
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { unzipSync, zipSync } from "fflate";
import JSZip from "jszip";
import yauzl from "yauzl";
import yazl from "yazl";
import { filesOf } from "../generator.mjs";
import { signIn } from "../harness/holdfast.mjs";
import { sideBySide, timed } from "../harness/measure.mjs";
import { startProduct } from "../harness/runtime.mjs";
import { plantFolder, writeInto } from "../peers/folder.mjs";
import { runProgram, versionOf } from "../peers/program.mjs";
import { startWorkerPeer } from "../peers/worker-peer.mjs";

const entryCount = 5_000;
const rounds = 5;
/** Our server is a program that stays: its code is compiled in the first rounds. The others get as many. */
const warmUps = 3;

export async function run() {
  const { folder, remove } = plantFolder([]);
  let server;
  let floor;
  try {
    const files = [...filesOf(entryCount, 4_000, "txt")];
    const bytes = Buffer.from(
      zipSync(Object.fromEntries(files.map(({ path, content }) => [path, Buffer.from(content)])), {
        mtime: new Date("2026-01-02T12:00:00Z"),
      }),
    );
    const archive = join(folder, "archive.zip");
    writeFileSync(archive, bytes);
    const changed = files.filter((_, index) => index % (entryCount / 10) === 7).map(({ path }) => path);
    // Peers first: ours is a server that stays, and must not slow them down.
    const openedByPeers = await sideBySide(
      {
        unzip: () => extractTo(memoryOr(folder), (target) => runProgram("unzip", ["-q", archive, "-d", target])),
        "unzip, flushed to disk": () =>
          extractTo(folder, async (target) => {
            await runProgram("unzip", ["-q", archive, "-d", target]);
            await runProgram("sync", ["-f", target]);
          }),
        "fflate, in memory": () => ms(() => unzipSync(readFileSync(archive))),
        "jszip, in memory": () => ms(() => jszipAll(archive)),
        "yauzl, in memory": () => ms(() => yauzlAll(archive)),
      },
      { rounds, warmUps },
    );
    const syncedByPeers = await sideBySide(
      {
        zip: (round) => syncProgram(folder, archive, files, changed, round),
        "fflate, in memory": (round) => ms(() => fflateSync(archive, changed, round)),
        "jszip, in memory": (round) => ms(() => jszipSync(archive, changed, round)),
        "yauzl + yazl": (round) => ms(() => yazlSync(folder, archive, changed, round)),
      },
      { rounds, warmUps },
    );
    floor = await startWorkerPeer("floor");
    const inFloor = "floor: inflated, hashed twice, stored";
    const openedByFloor = await sideBySide(
      { [inFloor]: (round) => openInFloor(floor.client(`packer${round}`), bytes) },
      { rounds, warmUps },
    );
    server = await startProduct();
    let root;
    const opens = {
      Holdfast: async (round) => {
        root?.close();
        root = await signIn(server.url, `packer${round}`);
        return openOurs(root, bytes);
      },
    };
    const opened = { ...(await sideBySide(opens, { rounds, warmUps })), ...openedByPeers, ...openedByFloor };
    const syncs = { Holdfast: (round) => syncOurs(root, changed, round) };
    const synced = { ...(await sideBySide(syncs, { rounds, warmUps })), ...syncedByPeers };
    const figures = {};
    for (const [name, figure] of Object.entries(opened)) figures[`open: ${name}`] = { ...figure, unit: "ms" };
    for (const [name, figure] of Object.entries(synced))
      figures[`sync after 10 edits: ${name}`] = { ...figure, unit: "ms" };
    const against = (text, what, peer, most) => ({
      text,
      ours: figures[`${what}: Holdfast`].median,
      peer: figures[`${what}: ${peer}`].median,
      most,
    });
    return {
      title: "zip of 5 000 entries, 20 MB",
      figures,
      asked: [
        against("open, ours : unzip", "open", "unzip", 1),
        against("open, ours : unzip, flushed to disk as ours is", "open", "unzip, flushed to disk", 1),
        against("sync after 10 edits, ours : zip", "sync after 10 edits", "zip", 0.3),
      ],
      notes: [
        `The archive has ${(bytes.length / 2 ** 20).toFixed(1)} MiB. Ours checks every entry, hashes it and stores it durably; unzip writes files, into memory.`,
        `${versionOf("unzip", ["-v"]) ?? "no unzip"}; zip writes with \`zip -q -u\` the ten changed files into the archive.`,
        "The libraries in memory write nothing to disk.",
        "The floor is a bare object that inflates each entry, makes SHA-256 and git's SHA-1 of it and stores both rows, in one transaction. It judges no archive, checks no CRC, has no tree and no session, and keeps everything in memory until then.",
      ],
    };
  } finally {
    remove();
    await Promise.all([server?.stop(), floor?.stop()]);
  }
}

async function ms(work) {
  return (await timed(work)).ms;
}

async function openInFloor(client, bytes) {
  await client.call("keep", { archive: bytes.toString("base64") });
  return ms(() => client.call("open"));
}

/** A user who has none of the contents yet: each of them is stored. */
async function openOurs(root, bytes) {
  await root.file("PUT", "/archive.zip", bytes);
  return ms(() => root.ok("zipfs_open", { path: "/archive.zip" }));
}

/** On a disk, unzip took from 0.24 s to 4 s by what the disk did before. */
function memoryOr(folder) {
  return existsSync("/dev/shm") ? "/dev/shm" : folder;
}

async function extractTo(folder, extract) {
  const target = mkdtempSync(join(folder, "holdfast-bench-unzip-"));
  const time = await ms(() => extract(target));
  rmSync(target, { recursive: true });
  return time;
}

async function syncOurs(root, changed, round) {
  for (const path of changed) await root.ok("zipfs_write", { path, content: contentOf(path, round) });
  return ms(() => root.ok("zipfs_sync", {}));
}

async function syncProgram(folder, archive, files, changed, round) {
  const target = join(folder, "work");
  if (round < 0) writeInto(target, files);
  writeInto(
    target,
    changed.map((path) => ({ path, content: contentOf(path, round) })),
  );
  const copy = join(folder, "copy.zip");
  writeFileSync(copy, readFileSync(archive));
  return ms(() => runProgram("zip", ["-q", "-u", "-r", copy, "."], { cwd: target, codes: [0, 12] }));
}

function contentOf(path, round) {
  return `${path} in round ${round}\n`.repeat(100);
}

async function jszipAll(archive) {
  const zip = await JSZip.loadAsync(readFileSync(archive));
  for (const entry of Object.values(zip.files)) await entry.async("uint8array");
}

async function yauzlAll(archive, onEntry = async () => {}) {
  const file = await promisify(yauzl.open)(archive, { lazyEntries: true });
  const read = promisify(file.openReadStream.bind(file));
  const done = new Promise((resolve, reject) => {
    file.on("end", resolve);
    file.on("error", reject);
  });
  file.on("entry", async (entry) => {
    const chunks = [];
    if (!entry.fileName.endsWith("/")) for await (const chunk of await read(entry)) chunks.push(chunk);
    await onEntry(entry, Buffer.concat(chunks));
    file.readEntry();
  });
  file.readEntry();
  await done;
}

function fflateSync(archive, changed, round) {
  const files = unzipSync(readFileSync(archive));
  for (const path of changed) files[path] = Buffer.from(contentOf(path, round));
  zipSync(files);
}

async function jszipSync(archive, changed, round) {
  const zip = await JSZip.loadAsync(readFileSync(archive));
  for (const path of changed) zip.file(path, contentOf(path, round));
  await zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" });
}

async function yazlSync(folder, archive, changed, round) {
  const out = new yazl.ZipFile();
  const written = finished(out.outputStream.pipe(createWriteStream(join(folder, "yazl.zip"))));
  const isChanged = new Set(changed);
  await yauzlAll(archive, async ({ fileName }, content) => {
    out.addBuffer(isChanged.has(fileName) ? Buffer.from(contentOf(fileName, round)) : content, fileName);
  });
  out.end();
  await written;
}

// Archives made by other programs are opened, edited and synced; the result is tested and taken apart by the same programs.
// Untouched entries keep their compressed bytes. A .docx and an .epub stay what they are.
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesOf, concat } from "../../harness/zip-builder";
import { type InMemory, opened } from "../../harness/zip-core";
import { ZipRoot } from "../zip-root";
import { extractors, extractWith, run, testArchive, withFolder, writeTree } from "./programs";

const tree = new Map<string, Uint8Array>([
  ["a.txt", bytesOf("alpha beta gamma\n".repeat(200))],
  ["gone.txt", bytesOf("to be deleted")],
  ["docs/ä ö.txt", bytesOf("umlauts in the name")],
  ["docs/日本.txt", bytesOf("non-latin")],
  ["docs/deep/er/x.bin", new Uint8Array(70_000).map((_, at) => (at * 2654435761) >>> 11)],
  ["empty.txt", new Uint8Array(0)],
  [
    "big.txt",
    bytesOf("0123456789abcdef".repeat(90_000)).map((byte, at) => (at % 17 === 0 ? (at * 2654435761) >>> 25 : byte)),
  ],
]);

const makers: [string, (folder: string) => void][] = [
  ["zip -r", (folder) => void run(folder, "zip", "-qr", "t.zip", ".")],
  ["zip -0 (stored)", (folder) => void run(folder, "zip", "-0qr", "t.zip", ".")],
  ["zip -9X without extra fields and directories", (folder) => void run(folder, "zip", "-9DXqr", "t.zip", ".")],
  [
    "zip to a pipe (descriptors)",
    (folder) => writeFileSync(join(folder, "t.zip"), run(folder, "zip", "-qr", "-", ".")),
  ],
  ["zip -fz (zip64)", (folder) => void run(folder, "zip", "-fzqr", "t.zip", ".")],
  [
    "zip -y with a symbolic link",
    (folder) => {
      symlinkSync("a.txt", join(folder, "link"));
      run(folder, "zip", "-yqr", "t.zip", ".");
    },
  ],
  ["7z", (folder) => void run(folder, "7z", "a", "-tzip", "t.zip", ".")],
  ["7z -mx=0", (folder) => void run(folder, "7z", "a", "-tzip", "-mx=0", "t.zip", ".")],
  [
    "bsdtar",
    (folder) => {
      run(folder, "bsdtar", "--format=zip", "-cf", "../b.zip", ".");
      renameSync(join(folder, "../b.zip"), join(folder, "t.zip"));
    },
  ],
  [
    "python",
    (folder) =>
      void run(
        folder,
        "python3",
        "-c",
        `
import os, zipfile
z = zipfile.ZipFile('../p.zip', 'w', zipfile.ZIP_DEFLATED)
z.comment = b'made by python'
for d, _, names in os.walk('.'):
    for n in sorted(names):
        with open(os.path.join(d, n), 'rb') as f, z.open(zipfile.ZipInfo.from_file(os.path.join(d, n)), 'w', force_zip64=True) as o: o.write(f.read())
z.close()
os.rename('../p.zip', 't.zip')`,
      ),
  ],
];

let root: ZipRoot;
beforeAll(async () => {
  root = await ZipRoot.signIn();
});

function make(maker: (folder: string) => void): Uint8Array {
  return withFolder((parent) => {
    // Some write beside the folder that they pack.
    const folder = join(parent, "tree");
    mkdirSync(folder);
    writeTree(folder, tree);
    maker(folder);
    return new Uint8Array(readFileSync(join(folder, "t.zip")));
  });
}

function dataOf(bytes: Uint8Array, { index }: InMemory, path: string): Buffer {
  const entry = index.entries.findLast((one) => one.path === path);
  if (entry === undefined) throw new Error(`no entry ${path}`);
  const start = entry.extraOffset + entry.extraLength;
  return Buffer.from(bytes.subarray(start, start + entry.record.compressedSize));
}

function expectSame(actual: ReadonlyMap<string, Uint8Array>, expected: ReadonlyMap<string, Uint8Array>): void {
  expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [path, bytes] of expected)
    expect(Buffer.compare(Buffer.from(actual.get(path) ?? []), bytes), path).toBe(0);
}

describe.each(makers)("an archive made by %s", (title, maker) => {
  it("opens, takes edits and syncs; four programs agree on the result, and raw bytes stay", async () => {
    const before = make(maker);
    const name = `m${makers.findIndex(([one]) => one === title)}`;
    const { file_count: files } = await root.opened(name, before);
    expect(files).toBe(tree.size);
    expectSame(await root.files(name), tree);
    const next = new Map(tree);
    next.set("a.txt", bytesOf("rewritten\n".repeat(50)));
    next.set("new/ü.txt", bytesOf("brand new"));
    next.set("zeros", new Uint8Array(300_000));
    next.delete("gone.txt");
    const { path } = await root.ok("zipfs_path", { session: name });
    await root.ok("zipfs_write", { session: name, path: "a.txt", content: "rewritten\n".repeat(50) });
    await root.put(`${path}/new/ü.txt`, bytesOf("brand new"));
    await root.put(`${path}/zeros`, new Uint8Array(300_000));
    await root.ok("zipfs_delete", { session: name, path: "gone.txt" });
    expect(await root.ok("zipfs_sync", { session: name })).toMatchObject({
      files_modified: 1,
      files_added: 2,
      files_deleted: 1,
    });
    const after = await root.bytes(`/in/${name}.zip`);
    testArchive(after);
    for (const program of extractors) expectSame(withoutLink(extractWith(program, after)), next);
    const [old, now] = [await opened(before), await opened(after)];
    for (const untouched of ["docs/ä ö.txt", "docs/日本.txt", "docs/deep/er/x.bin", "empty.txt", "big.txt"]) {
      expect(dataOf(after, now, untouched).equals(dataOf(before, old, untouched)), untouched).toBe(true);
    }
    expect(now.index.comment).toEqual(old.index.comment);
    await root.ok("zipfs_close", { session: name });
  }, 120_000);
});

/** Python writes the target of a link as a file. */
function withoutLink(files: Map<string, Buffer>): Map<string, Buffer> {
  files.delete("link");
  return files;
}

describe("documents", () => {
  it("an .epub keeps its first entry: mimetype, stored, without extra field, at the place where readers look for it", async () => {
    const before = withFolder((folder) => {
      writeTree(
        folder,
        new Map([
          ["mimetype", bytesOf("application/epub+zip")],
          ["META-INF/container.xml", bytesOf("<container/>")],
          ["OEBPS/c.xhtml", bytesOf("<html><body>one</body></html>".repeat(20))],
        ]),
      );
      run(folder, "zip", "-X0q", "b.epub", "mimetype");
      run(folder, "zip", "-Xrq", "b.epub", "META-INF", "OEBPS");
      return new Uint8Array(readFileSync(join(folder, "b.epub")));
    });
    await root.put("/b.epub", before);
    await root.ok("zipfs_open", { path: "/b.epub", name: "epub" });
    await root.ok("zipfs_write", { session: "epub", path: "OEBPS/c.xhtml", content: "<html><body>two</body></html>" });
    await root.ok("zipfs_write", { session: "epub", path: "AAA-first", content: "sorts before all" });
    await root.ok("zipfs_sync", { session: "epub" });
    const after = await root.bytes("/b.epub");
    testArchive(after);
    expect(new TextDecoder().decode(after.subarray(30, 58))).toBe("mimetypeapplication/epub+zip");
    expect(after.subarray(0, 30)).toEqual(before.subarray(0, 30));
  });

  it("a .docx made by Python keeps its parts and is read by Python's XML parser after a sync", async () => {
    const script = `
import zipfile
z = zipfile.ZipFile('d.docx', 'w', zipfile.ZIP_DEFLATED)
z.writestr('[Content_Types].xml', '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>')
z.writestr('_rels/.rels', '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>')
z.writestr('word/document.xml', '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>Old</w:body></w:document>')
z.close()`;
    const before = withFolder((folder) => {
      run(folder, "python3", "-c", script);
      return new Uint8Array(readFileSync(join(folder, "d.docx")));
    });
    await root.put("/d.docx", before);
    await root.ok("zipfs_open", { path: "/d.docx", name: "docx" });
    const { content } = await root.ok("zipfs_read", { session: "docx", path: "word/document.xml" });
    await root.ok("zipfs_write", {
      session: "docx",
      path: "word/document.xml",
      content: content.replace("Old", "New & better".replace("&", "&amp;")),
    });
    await root.ok("zipfs_sync", { session: "docx" });
    const after = await root.bytes("/d.docx");
    testArchive(after);
    const printed = withFolder((folder) => {
      writeFileSync(join(folder, "d.docx"), after);
      const check =
        "import zipfile, xml.dom.minidom as m\nz=zipfile.ZipFile('d.docx')\nprint(z.namelist()[0], m.parseString(z.read('word/document.xml')).documentElement.firstChild.firstChild.data)";
      return run(folder, "python3", "-c", check).toString();
    });
    expect(printed).toBe("[Content_Types].xml New & better\n");
  });

  it("a self-extractor keeps its stub, and programs still find the files", async () => {
    const stub = bytesOf("#!/bin/sh\nexit 0\n");
    await root.put("/sfx", concat([stub, make((folder) => void run(folder, "zip", "-qr", "t.zip", "."))]));
    await root.ok("zipfs_open", { path: "/sfx", name: "sfx" });
    await root.ok("zipfs_write", { session: "sfx", path: "a.txt", content: "new" });
    await root.ok("zipfs_sync", { session: "sfx" });
    const after = await root.bytes("/sfx");
    expect(after.subarray(0, stub.length)).toEqual(stub);
    const expected = new Map(tree).set("a.txt", bytesOf("new"));
    for (const program of ["7z", "bsdtar", "python3"] as const) expectSame(extractWith(program, after), expected);
  });
});

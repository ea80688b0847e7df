// Characters that other programs change on the way: in contents (BOM, CR, U+2028, NUL far behind) and in names (astral, NFC beside NFD, case, percent).
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { eras, TextRoot } from "./text-root";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe.each(eras)("contents in %s", (era) => {
  let root: TextRoot;
  beforeAll(async () => {
    root = await TextRoot.signIn({ era });
  });

  it.each([
    ["a byte order mark", "\ufeff"],
    ["a carriage return", "\r"],
    ["a line separator", "\u2028"],
    ["a paragraph separator", "\u2029"],
    ["a next line", "\u0085"],
    ["a vertical tab and a form feed", "\v\f"],
    ["an astral character", "😀"],
    ["a noncharacter", "\uffff"],
    ["a replacement character", "\ufffd"],
    ["a combining accent", "e\u0301"],
    ["a zero width joiner and an override", "\u200d\u202e"],
    ["an escape and a backspace", "\u001b\b"],
    ["quotes and backslashes", "\"'\\\\u0000"],
  ])("MCP-031 MCP-040 %s is part of its line, in every tool and in the hash", async (name, odd) => {
    const path = `/contents/${name}`;
    const line = `${odd}x${odd}`;
    const hash = await root.create(path, `${line}\nplain\n`);
    expect(await root.read(path, [1, 2])).toEqual({
      content: `${line}\n`,
      hash: sha256(`${line}\nplain\n`),
      total_lines: 2,
    });
    const inserted = await root.ok("text.insert", { path, hash, line: 1, anchor: line, content: `${odd}top` });
    expect(inserted).toEqual({ hash: sha256(`${odd}top\n${line}\nplain\n`), total_lines: 3 });
    const replaced = await root.ok("text.replace", {
      path,
      hash: inserted.hash,
      lines: [1, 0],
      old: line,
      new: `${odd}${odd}`,
    });
    expect(replaced).toEqual({ hash: sha256(`${odd}top\n${odd}${odd}\nplain\n`), total_lines: 3 });
    const appended = await root.ok("text.append", { path, hash: replaced.hash, content: odd });
    const whole = `${odd}top\n${odd}${odd}\nplain\n${odd}`;
    expect(await root.read(path)).toEqual({ content: whole, hash: sha256(whole), total_lines: 4 });
    expect(appended.hash).toBe(sha256(whole));
  });

  it("MCP-031 keeps CRLF and a lone CR as they are", async () => {
    const path = "/crlf";
    const hash = await root.create(path, "a\r\nb\rc\r\n");
    expect(await root.read(path, [2, 0])).toEqual({ content: "b\rc\r\n", hash, total_lines: 2 });
    const { hash: next } = await root.ok("text.insert", { path, hash, line: 2, anchor: "b\rc\r", content: "x\r\n" });
    expect(await root.read(path)).toEqual({ content: "a\r\nx\r\nb\rc\r\n", hash: next, total_lines: 3 });
  });

  it("takes a NUL after the first 8000 bytes for text, as git does", async () => {
    const text = `${"x".repeat(7999)}\n\0`;
    const hash = await root.create("/far", text);
    expect(await root.read("/far")).toEqual({ content: text, hash, total_lines: 2 });
  });
});

describe("names", () => {
  let root: TextRoot;
  beforeAll(async () => {
    root = await TextRoot.signIn();
  });

  it("MCP-025 keeps names that differ in a single byte apart: case, NFC and NFD, blanks, percent signs", async () => {
    const names = [
      "a",
      "A",
      "é",
      "e\u0301",
      "Å",
      "\u212b",
      "A\u030a",
      " a",
      "a ",
      "a.",
      "%61",
      "ａ",
      "а",
      "ß",
      "ss",
      "ﬁ",
      "fi",
    ];
    for (const name of names) await root.create(`/names/${name}`, `I am ${name}`);
    for (const name of names) expect((await root.read(`names/${name}`)).content).toBe(`I am ${name}`);
    const { entries } = await root.ok("file.list", { path: "/names" });
    expect(new Set(entries.map(({ name }) => name))).toEqual(new Set(names));
  });

  it.each([
    "😀.md",
    "～",
    "日本語/ファイル.txt",
    "‮right to left",
    "a\u2028b",
    "\ufeff",
    "\u200b",
    "-",
    "--help",
    "*",
    "~",
    "x/a:b",
  ])("MCP-025 creates, lists, reads, edits and removes %j", async (name) => {
    const path = `/odd/${name}`;
    const hash = await root.create(path, "x\n");
    const slash = path.lastIndexOf("/");
    const listed = await root.ok("file.list", { path: path.slice(0, slash) });
    expect(listed.entries).toContainEqual({ name: path.slice(slash + 1), type: "file" });
    const edited = await root.ok("text.append", { path, hash, content: "y\n" });
    expect(await root.read(path)).toEqual({ content: "x\ny\n", ...edited });
    await root.ok("file.remove", { path, hash: edited.hash });
  });

  it("MCP-052 takes names up to 255 bytes, 64 of them and 1024 bytes in all, and says which limit is exceeded", async () => {
    const segment = "é".repeat(127);
    await root.create(`/${segment}x`, "");
    expect((await root.refused("file.create", { path: `/${segment}é`, content: "" })).message).toMatch(
      /^path: the name ".*…?" has 256 bytes; a name has at most 255\.$/,
    );
    await root.create(`/${"d/".repeat(63)}f`, "");
    expect((await root.refused("file.create", { path: `/${"d/".repeat(64)}f`, content: "" })).message).toMatch(
      /^path: ".*" has 65 names; a path has at most 64\.$/,
    );
    const long = `/${Array(4).fill("p".repeat(254)).join("/")}`;
    const fitting = `${long}/${"q".repeat(1024 - long.length - 1)}`;
    expect(fitting).toHaveLength(1024);
    await root.create(fitting, "");
    expect((await root.refused("file.create", { path: `${fitting}q`, content: "" })).message).toMatch(
      /^path: ".*…" has 1025 bytes; a path has at most 1024\.$/,
    );
  });
});

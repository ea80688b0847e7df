// file.list: immediate children, dotfiles, order by bytes, paging, and what is refused.
import { beforeAll, describe, expect, it } from "vitest";
import { TextRoot } from "./text-root";

let root: TextRoot;
beforeAll(async () => {
  root = await TextRoot.signIn();
  // NFC beside NFD, and names that UTF-16 order would put the other way round.
  const files = ["b", "B", ".hidden", "😀", "～", "é", "e\u0301", "a b", "%41", "~", "\ufeff"];
  for (const name of files) await root.create(`/mixed/${name}`, name);
  for (const name of ["z", "a", ".dot", "😀d", "～d"]) await root.create(`/mixed/${name}/x`, "");
});

describe("file.list", () => {
  it("MCP-020 MCP-021 gives immediate children only, dotfiles too, directories first, each group by the UTF-8 bytes of the name", async () => {
    const listed = await root.ok("file.list", { path: "mixed/" });
    const names = (type: string) => listed.entries.filter((entry) => entry.type === type).map(({ name }) => name);
    const byBytes = (all: string[]) => all.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(names("directory")).toEqual([".dot", "a", "z", "～d", "😀d"]);
    expect(names("file")).toEqual(
      [".hidden", "%41", "B", "a b", "b", "e\u0301", "~", "é", "\ufeff", "～", "😀"].sort((a, b) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      ),
    );
    expect(names("file")).toEqual(byBytes(names("file")));
    expect(names("file").indexOf("～")).toBeLessThan(names("file").indexOf("😀"));
    expect(listed.entries.map(({ type }) => type).lastIndexOf("directory")).toBe(4);
    expect(listed).toMatchObject({ path: "/mixed", total: 16, truncated: false });
    for (const entry of listed.entries) expect(Object.keys(entry)).toEqual(["name", "type"]);
  });

  it("MCP-020 lists the root when no path is given, and an empty one as empty", async () => {
    const empty = await TextRoot.signIn();
    const nothing = { path: "/", entries: [], total: 0, truncated: false };
    expect(await empty.ok("file.list", {})).toEqual(nothing);
    for (const path of ["/", ".", "./", "//", "a/.."]) {
      expect((await empty.ok("file.list", { path })).path).toBe("/");
    }
    expect(await root.ok("file.list", {})).toEqual(await root.ok("file.list", { path: "/" }));
  });

  it("pages with limit and offset so that the pages join to the whole", async () => {
    const whole = (await root.ok("file.list", { path: "/mixed" })).entries;
    for (const limit of [1, 3, 5, 16]) {
      const joined: unknown[] = [];
      for (let offset = 0; ; offset += limit) {
        const page = await root.ok("file.list", { path: "/mixed", limit, offset });
        joined.push(...page.entries);
        expect(page.total).toBe(16);
        expect(page.truncated).toBe(joined.length < 16);
        if (!page.truncated) break;
      }
      expect(joined).toEqual(whole);
    }
    expect(await root.ok("file.list", { path: "/mixed", offset: 99 })).toEqual({
      path: "/mixed",
      entries: [],
      total: 16,
      truncated: false,
    });
  });

  it("MCP-050 says that a directory is not there, naming the deepest one that is", async () => {
    const path = "/mixed/a/not/here";
    expect(await root.refused("file.list", { path })).toEqual({
      code: "NOT_FOUND",
      message: `${path} does not exist. Call file.list with path "/mixed/a" to see what is there, or create it with file.create.`,
      details: { path },
    });
    // Below a file there is nothing; the directory of that file is the nearest.
    expect((await root.refused("file.list", { path: "/mixed/b/c" })).message).toBe(
      '/mixed/b/c does not exist. Call file.list with path "/mixed" to see what is there, or create it with file.create.',
    );
  });

  it("MCP-052 refuses a file and says what reads it", async () => {
    expect(await root.refused("file.list", { path: "/mixed/b" })).toEqual({
      code: "INVALID_ARGUMENT",
      message: "/mixed/b is a file; read it with text.read.",
      details: { argument: "path", path: "/mixed/b" },
    });
  });
});

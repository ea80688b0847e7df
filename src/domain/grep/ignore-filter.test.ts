/** Ignore rules of snapshot.md §10.3: the real git is the judge, over cases picked by hand and over generated trees. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counts, seed } from "../../../test/counts";
import { GitRepository } from "../../../test/harness/git";
import { ignoreWorkMax } from "../limits";
import type { RootPath } from "../path";
import { createIgnoreFilter } from "./ignore-filter";
import { WorkMeter } from "./work-meter";

/** Paths and contents; a directory exists through its files. */
type Tree = Readonly<Record<string, string>>;

let git: GitRepository;
beforeAll(() => {
  git = new GitRepository();
});
// A deep run leaves thousands of directories to remove.
afterAll(() => git.remove(), 300_000);

let directories = 0;

/** What git does not ignore of each tree. All in one repository: rules of one directory do not reach into the next. */
function keptByGit(trees: readonly Tree[]): string[][] {
  const first = directories;
  for (const tree of trees) {
    const directory = join(git.directory, `tree-${directories++}`);
    for (const [path, content] of Object.entries(tree)) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
  }
  const kept: string[][] = trees.map(() => []);
  for (const path of git.run(["ls-files", "--others", "--exclude-standard", "-z"]).split("\0")) {
    const [, index, below] = /^tree-(\d+)\/(.*)$/su.exec(path) ?? [];
    if (index !== undefined && Number(index) >= first) kept[Number(index) - first]?.push(below ?? "");
  }
  return kept.map((paths) => paths.sort());
}

function keptByUs(tree: Tree): string[] {
  const isIgnored = createIgnoreFilter(
    (directory) => tree[`${directory.slice(1)}/.gitignore`.replace(/^\//u, "")] ?? null,
    new WorkMeter(ignoreWorkMax),
  );
  return Object.keys(tree)
    .filter((path) => !isIgnored(`/${path}` as RootPath))
    .sort();
}

function treeOf(rules: string, ...paths: readonly string[]): Tree {
  return { ".gitignore": rules, ...Object.fromEntries(paths.map((path) => [path, "x"])) };
}

const picked: readonly (readonly [name: string, tree: Tree])[] = [
  ["a name at any depth", treeOf("a", "a", "b/a", "b/c/a/d", "ab")],
  ["a leading slash", treeOf("/a", "a", "b/a")],
  ["an inner slash", treeOf("b/a", "b/a", "c/b/a", "a")],
  ["directories only", treeOf("a/\nb/c/", "a/x", "d/a", "b/c/x", "e/b/c/x", "e/a/y")],
  ["a later rule wins", treeOf("*.js\n!a.js\nb/a.js", "a.js", "b.js", "b/a.js", "c/a.js")],
  ["an earlier exception loses", treeOf("!a.js\n*.js", "a.js")],
  ["nothing below an excluded directory comes back", treeOf("a/\n!a/b", "a/b", "a/c")],
  ["an exception for what an excluded pattern left open", treeOf("a/*\n!a/b", "a/b", "a/c", "a/d/b")],
  ["a deeper file wins", { ...treeOf("*.js", "s/a.js", "s/b.js", "a.js"), "s/.gitignore": "!a.js" }],
  ["no rules are read below an excluded directory", { ...treeOf("s/", "s/a"), "s/.gitignore": "!*\n!a" }],
  [
    "a deeper file can exclude its own directory's entries only",
    { ...treeOf("", "a", "s/a", "s/t/a"), "s/.gitignore": "/a" },
  ],
  ["double stars before", treeOf("**/b/c", "b/c", "a/b/c", "a/a/b/c", "b/a/c")],
  ["double stars behind", treeOf("a/**", "a/b", "a/d/c", "b/a/c", "e")],
  ["double stars between", treeOf("a/**/b", "a/b", "a/x/b", "a/x/y/b", "c/a/b")],
  ["double stars within a name", treeOf("a**b\n/c**/d", "axb", "a/b", "c/d", "cx/d", "c/x/d", "cx/y/d")],
  ["stars stop at slashes", treeOf("a*c/d\n/*/e", "abc/d", "a/c/d", "x/e", "x/y/e")],
  ["one byte, not one character", treeOf("?\n??x", "a", "é", "éx", "ax", "abx")],
  [
    "classes",
    treeOf(
      "[ab]x\n[!ab]y\n[^c]z\n[a-c]w\n[]]v\n[[:upper:]]u",
      "ax",
      "cx",
      "ay",
      "dy",
      "cz",
      "dz",
      "bw",
      "]v",
      "Au",
      "au",
    ),
  ],
  ["broken classes", treeOf("[a\nb[\n[[:nope:]]c\n[z-a]d", "[a", "a", "b[", "ac", "zd", "ad", "nd")],
  [
    "no class or question mark takes a slash",
    treeOf("/a[!x]b\n/c[/]d\n/e[.-0]f\n/g?h", "a/b", "ayb", "c/d", "e/f", "e.f", "g/h", "gxh"),
  ],
  ["hyphens in classes", treeOf("[-a]x\n[a-c-e]y\n[b-]z", "-x", "ax", "Bx", "by", "dy", "-y", "ey", "-z", "cz")],
  ["an escaped slash behind double stars", treeOf("a/**\\/b", "a/b", "a/x/b", "a/x/y/b")],
  ["endings with dots", treeOf("*.d/a\n/*/x.e/b\n*b.c.f\nz/*.d", "x.d/a", "y/x.e/b", "b.c.f", "c.f", "z/.d", "z/x.d")],
  ["later rules of other kinds", treeOf("*.a\n!x.a\n?.a\n!/y.a\ny*\n!d/y.a", "x.a", "y.a", "d/y.a", "xx.a", "z.a")],
  ["escapes", treeOf("\\#a\n\\!b\n\\*c\nd\\\ne\\f", "#a", "!b", "*c", "xc", "d", "d\\x", "ef")],
  ["comments and blank lines", treeOf("# a\n\n  \n#b", "a", "# a", "#b", "  ")],
  ["blanks at the end", treeOf("a  \nb\\ \nc\\  \n d\ne\t", "a", "a  ", "b ", "b", "c ", " d", "d", "e", "e\t")],
  ["carriage returns", treeOf("a\r\nb\r", "a", "b", "b\r")],
  ["a byte order mark", treeOf("\ufeffa", "a", "\ufeffa")],
  ["case", treeOf("A\n[B]", "a", "A", "b", "B")],
  ["names beyond ASCII", treeOf("é\n😀/\n[é]x", "é", "😀/a", "éx")],
  ["slashes alone", treeOf("/\n//\n!/\n!", "a", "b/c")],
  ["a doubled slash", treeOf("a//\nb//c", "a/x", "b/c")],
  ["everything but one directory", treeOf("/*\n!/a\n/a/*\n!/a/b", "a/b/c", "a/d", "e", "f/g")],
  ["the rules themselves", treeOf(".gitignore\n.*", ".x", "a/.y")],
];

describe("rules picked by hand are judged as git judges them", () => {
  it.each(picked)("%s (seed 002 §3.1)", (_, tree) => {
    expect(keptByUs(tree)).toEqual(keptByGit([tree])[0]);
  });

  it("and not all of them are kept or ignored", () => {
    expect(keptByUs(treeOf("a\n!b/a", "a", "b/a", "c/a"))).toEqual([".gitignore", "b/a"]);
  });
});

describe("the filter", () => {
  it("asks once for the rules of each directory, and for none below an excluded one", () => {
    const asked: string[] = [];
    const isIgnored = createIgnoreFilter((directory) => {
      asked.push(directory);
      return directory === "/" ? "out/\n" : null;
    }, new WorkMeter(ignoreWorkMax));
    const files = ["/a", "/in/b", "/in/c", "/out/d", "/out/e/f", "/in/g"] as RootPath[];
    expect(files.filter((file) => isIgnored(file))).toEqual(["/out/d", "/out/e/f"]);
    expect(asked).toEqual(["/", "/in"]);
  });
});

describe("generated rules", () => {
  const name = fc.constantFrom(
    ...[
      "a",
      "b",
      "ab",
      "foo",
      "bar",
      "foo.js",
      "a.js",
      "x y",
      "é",
      "A",
      "b ",
      "#c",
      "!d",
      "[z]",
      "a*",
      "-",
      "a-b",
      "😀",
      ".x",
      "fooo",
    ],
  );
  const pieces = [
    ...[
      "*",
      "**",
      "/",
      "?",
      "[ab]",
      "[!a]",
      "[^b]",
      "[a-z]",
      "\\*",
      "\\",
      ".js",
      "[[:alpha:]]",
      "[]a]",
      "[a",
      " ",
      "\\ ",
      "!",
      "#",
    ],
    ...[
      "[a-]",
      "[\\]]",
      "[[:upper:]]",
      "[[:foo:]]",
      "**/",
      "/**",
      "/**/",
      "\\#",
      "[/]",
      "[b/a]",
      "\t",
      "[z-a]",
      "[a-\\]]",
      "\\/",
    ],
    ...["[[:alpha:]-z]", "***", "[!-~]", "[[:]", "[[::]]", "[a-", "[!]", "[\\"],
  ];
  const part = fc.oneof({ weight: 2, arbitrary: name }, { weight: 1, arbitrary: fc.constantFrom(...pieces) });
  const segment = fc.oneof(
    name,
    fc.constantFrom("*", "**", "a*", "*b", "?", "fo?", "[a-f]*", "*.js", "foo**", "**o", "a**"),
  );
  const pattern = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("")),
    fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/")),
  );
  const rule = fc
    .tuple(
      fc.constantFrom("", "", "!"),
      fc.constantFrom("", "", "/"),
      pattern,
      fc.constantFrom("", "", "/", "/**", " ", "\r"),
    )
    .map((parts) => parts.join(""));
  const rules = fc
    .tuple(
      fc.array(fc.oneof({ weight: 8, arbitrary: rule }, fc.constantFrom("", "# a", "*")), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.boolean(),
    )
    .map(([lines, terminated]) => lines.join("\n") + (terminated ? "\n" : ""));
  const path = fc.array(name, { minLength: 1, maxLength: 4 });
  const tree = fc
    .tuple(
      fc.array(path, { minLength: 3, maxLength: 14 }),
      rules,
      fc.array(fc.tuple(fc.nat(13), fc.nat(2), rules), { maxLength: 3 }),
    )
    .map(([paths, rootRules, deeper]) => plant(paths, rootRules, deeper));

  /** Files that do not stand where another needs a directory, and rules in some of those directories. */
  function plant(
    paths: readonly string[][],
    rootRules: string,
    deeper: readonly (readonly [number, number, string])[],
  ): Tree {
    const files: Record<string, string> = { ".gitignore": rootRules };
    for (const segments of paths) {
      const joined = segments.join("/");
      const blocked = segments.some((_, depth) => depth > 0 && segments.slice(0, depth).join("/") in files);
      const isDirectory = Object.keys(files).some((file) => file.startsWith(`${joined}/`));
      if (!blocked && !isDirectory) files[joined] = "x";
    }
    for (const [index, depth, content] of deeper) {
      const directory = paths[index % paths.length]?.slice(0, depth + 1).join("/") ?? "";
      if (Object.keys(files).some((file) => file.startsWith(`${directory}/`)))
        files[`${directory}/.gitignore`] = content;
    }
    return files;
  }

  it("leave the files that git leaves", { timeout: 3_600_000 }, () => {
    const trees = fc.sample(tree, { seed, numRuns: counts.gitIgnoreTrees });
    const ofGit = keptByGit(trees);
    for (const [index, each] of trees.entries()) {
      expect({ tree: each, kept: keptByUs(each) }).toEqual({ tree: each, kept: ofGit[index] });
    }
    expect(ofGit.flat().length).toBeLessThan(trees.flatMap(Object.keys).length);
  });
});

describe("hostile rules", () => {
  const rulesFrom = (make: (index: number) => string) =>
    Array.from({ length: 20_000 }, (_, index) => make(index)).join("\n");

  it("are compared once where they are equal: the last of them decides", () => {
    const rules = `${"?\n".repeat(131_000)}!b\n?\n!a\n?/`;
    const work = new WorkMeter(100_000);
    const isIgnored = createIgnoreFilter((directory) => (directory === "/" ? rules : null), work);
    const files = Array.from({ length: 1000 }, (_, index) => `/dir/${index}/long-name` as RootPath);
    expect(files.filter((file) => isIgnored(file))).toHaveLength(10);
    expect([isIgnored("/a" as RootPath), isIgnored("/b" as RootPath)]).toEqual([false, true]);
    expect(work.exhausted).toBe(false);
    const tree = treeOf(rules, "a", "b", "long-name", "c/d");
    expect(keptByUs(tree)).toEqual(keptByGit([tree])[0]);
  });

  it.each([
    ["wildcards", (index: number) => `?${index}`],
    ["stars", (index: number) => `*a*a*a*b${index}*`],
    ["directories", (index: number) => `**/*a*a*${index}*`],
  ])("of %s use up the work that is given, and no more", (_, make) => {
    const rules = rulesFrom(make);
    const work = new WorkMeter(ignoreWorkMax / 10);
    const isIgnored = createIgnoreFilter((directory) => (directory === "/" ? rules : null), work);
    let looked = 0;
    while (looked < 10_000 && !work.exhausted)
      isIgnored(`/${"a".repeat(100)}/${looked++}${"a".repeat(100)}` as RootPath);
    expect(looked).toBeLessThan(10_000);
    expect(isIgnored("/a" as RootPath)).toBe(false);
  });

  it("with many stars are decided without trying every way to share a name among them", () => {
    const stars = `${"*a".repeat(60)}*b`;
    const long = "a".repeat(255);
    expect(
      keptByUs(treeOf(`${stars}\n${"**/*a".repeat(20)}\n/**/${"*a*/".repeat(30)}b`, long, `${`${long}/`.repeat(3)}c`)),
    ).toContain(long);
  });
});

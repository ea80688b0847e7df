/** Which candidates a search looks into, and when its answer is truncated (snapshot.md §10.1). */
import { describe, expect, it } from "vitest";
import { grepAnswerMaxUnits, grepTotalMaxBytes, grepWorkMax, textFileMaxBytes } from "../limits";
import type { RootPath } from "../path";
import { compileQuery, type LineMatcher } from "./compile-query";
import { planSearch, type SearchFile, type SearchOutcome, searchTexts } from "./search";
import { WorkMeter } from "./work-meter";

function file(path: string, size = 1): SearchFile {
  return { path: path as RootPath, size };
}

function planned(candidates: readonly SearchFile[], maxFiles: number): string {
  const { files, complete } = planSearch(candidates, maxFiles);
  return `${files.map(({ path }) => path).join(" ")}${complete ? "" : " …"}`;
}

function matcher(query: string): LineMatcher {
  const compiled = compileQuery({ query, regex: true, caseSensitive: true });
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.value;
}

async function search(
  texts: Readonly<Record<string, string>>,
  query: string,
  maxMatches: number,
  maxFiles = 100,
  work = new WorkMeter(grepWorkMax),
): Promise<SearchOutcome> {
  const plan = planSearch(
    Object.keys(texts).map((path) => file(path)),
    maxFiles,
  );
  return searchTexts(
    plan,
    plan.files,
    plan.files.map(({ path }) => [texts[path] ?? ""]),
    matcher(query),
    maxMatches,
    work,
  );
}

function summary({ found, searched, truncated }: SearchOutcome): string {
  const places = found.map(
    ({ path, matches }) => `${path}@${matches.map((match) => `${match.lineNumber}:${match.column}`)}`,
  );
  return `${places.join(" ")} of ${searched.join(" ")}${truncated ? " …" : ""}`;
}

describe("the plan", () => {
  it("takes the first max_files candidates in their order, and knows whether any was left (seed 002 §3.1)", () => {
    const candidates = [file("/a"), file("/b"), file("/c")];
    expect(planned(candidates, 2)).toBe("/a /b …");
    expect(planned(candidates, 3)).toBe("/a /b /c");
    expect(planned([], 3)).toBe("");
  });

  it("skips a file over the limit of a text, which truncates", () => {
    expect(planned([file("/a", textFileMaxBytes), file("/b", textFileMaxBytes + 1), file("/c")], 5)).toBe("/a /c …");
    expect(planned([file("/a"), file("/b", textFileMaxBytes + 1), file("/c")], 2)).toBe("/a …");
  });

  it("ends before the file that would exceed the bytes of one search", () => {
    const eight = Array.from({ length: grepTotalMaxBytes / textFileMaxBytes }, (_, index) =>
      file(`/${index}`, textFileMaxBytes),
    );
    expect(planned(eight, 100)).toBe("/0 /1 /2 /3 /4 /5 /6 /7");
    expect(planned([...eight, file("/8", 0)], 100)).toBe("/0 /1 /2 /3 /4 /5 /6 /7 /8");
    expect(planned([...eight, file("/8", 1), file("/9", 0)], 100)).toBe("/0 /1 /2 /3 /4 /5 /6 /7 …");
  });

  it("asks for no more candidates than it needs to know", () => {
    let asked = 0;
    function* endless(): Generator<SearchFile> {
      for (;;) yield file(`/${asked++}`);
    }
    expect(planSearch(endless(), 10).files).toHaveLength(10);
    expect(asked).toBe(11);
  });
});

describe("the search", () => {
  const texts = { "/a": "x\nyx", "/b": "y", "/c": "xx" };

  it("gives matches by file, line and column, and all files it looked into (seed 002 §1.3, §2.3)", async () => {
    expect(summary(await search(texts, "x", 100))).toBe("/a@1:1,2:2 /c@1:1,1:2 of /a /b /c");
  });

  it("is not truncated by exactly max_matches matches", async () => {
    expect(summary(await search(texts, "x", 4))).toBe("/a@1:1,2:2 /c@1:1,1:2 of /a /b /c");
    expect(summary(await search({ "/a": "x", "/b": "y", "/c": "y" }, "x", 1))).toBe("/a@1:1 of /a /b /c");
  });

  it("ends with the file that has one match more", async () => {
    expect(summary(await search(texts, "x", 3))).toBe("/a@1:1,2:2 /c@1:1 of /a /b /c …");
    expect(summary(await search(texts, "x", 2))).toBe("/a@1:1,2:2 of /a /b /c …");
    expect(summary(await search(texts, "x", 1))).toBe("/a@1:1 of /a …");
  });

  it("is truncated where candidates were left, matches or not (seed 002 §3.1)", async () => {
    expect(summary(await search(texts, "x", 100, 2))).toBe("/a@1:1,2:2 of /a /b …");
    expect(summary(await search(texts, "z", 100, 2))).toBe(" of /a /b …");
  });

  it("is truncated when the work is used up", async () => {
    const outcome = await search(
      { "/a": "b", "/b": `${"a".repeat(10_000)}\nc`, "/c": "b" },
      "a.*c|b",
      100,
      100,
      new WorkMeter(5000),
    );
    expect(summary(outcome)).toBe("/a@1:1 of /a /b …");
  });

  it("is truncated where the lines of its matches would not fit in one answer, be it in one file or in several", async () => {
    const line = "x".padEnd(1024, ".");
    const lines = grepAnswerMaxUnits / line.length;
    // The path counts too, once.
    const half = `${"x".padEnd(1022, ".")}\n${`${line}\n`.repeat(lines / 2 - 1)}`;
    const whole = await search({ "/a": half, "/b": half, "/c": "y" }, "x", 10_000);
    expect([whole.found.map(({ matches }) => matches.length), whole.truncated]).toEqual([
      [lines / 2, lines / 2],
      false,
    ]);
    for (const texts of [{ "/a": half, "/b": half, "/c": "x" }, { "/a": `${half}${half}x..` }]) {
      const cut = await search(texts, "x", 10_000);
      const matches = cut.found.flatMap((file) => file.matches);
      expect([matches.length, cut.truncated]).toEqual([lines, true]);
    }
    // Every match carries its line, also when it is the same one.
    const dense = await search({ "/a": "x".repeat(2000) }, "x", 10_000);
    expect([dense.found[0]?.matches.length, dense.truncated]).toEqual([Math.floor(grepAnswerMaxUnits / 2000), true]);
  });

  it("reads no text after the last it needs, and closes the source", async () => {
    const read: string[] = [];
    let closed = false;
    async function* source(): AsyncGenerator<string[]> {
      try {
        for (const [path, text] of Object.entries(texts)) {
          read.push(path);
          yield [text];
        }
      } finally {
        closed = true;
      }
    }
    const plan = planSearch(
      Object.keys(texts).map((path) => file(path)),
      100,
    );
    expect((await searchTexts(plan, plan.files, source(), matcher("x"), 1)).truncated).toBe(true);
    expect({ read, closed }).toEqual({ read: ["/a"], closed: true });
  });

  it("counts files as searched that need not be read, up to where it ends", async () => {
    const plan = planSearch(
      ["/a", "/b", "/c", "/d", "/e"].map((path) => file(path)),
      100,
    );
    const outcome = (read: readonly string[], maxMatches: number) => {
      const reads = plan.files.filter(({ path }) => read.includes(path));
      return searchTexts(plan, reads, [reads.map(() => "x")], matcher("x"), maxMatches);
    };
    expect(summary(await outcome([], 5))).toBe(" of /a /b /c /d /e");
    expect(summary(await outcome(["/b", "/d"], 5))).toBe("/b@1:1 /d@1:1 of /a /b /c /d /e");
    expect(summary(await outcome(["/b", "/d"], 2))).toBe("/b@1:1 /d@1:1 of /a /b /c /d /e");
    expect(summary(await outcome(["/b", "/d"], 1))).toBe("/b@1:1 of /a /b /c /d …");
  });

  it("refuses texts that are not those of the plan", async () => {
    const plan = planSearch([file("/a")], 100);
    await expect(searchTexts(plan, plan.files, [], matcher("x"), 1)).rejects.toThrow("fewer texts");
    await expect(searchTexts(plan, plan.files, [["y", "y"]], matcher("x"), 1)).rejects.toThrow("more texts");
  });
});

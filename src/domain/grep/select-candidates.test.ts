/** Which files of a view are candidates of a grep. Not here: what rules ignore, see ignore-filter.test.ts. */
import { describe, expect, it } from "vitest";
import { ignoreWorkMax } from "../limits";
import type { RootPath } from "../path";
import { createIgnoreFilter } from "./ignore-filter";
import { selectCandidates, type ViewFile } from "./select-candidates";
import { WorkMeter } from "./work-meter";

const paths = [
  "/.gitignore",
  "/.zipfs/s/a.txt",
  "/a.log",
  "/image",
  "/s/a.txt",
  "/s/b.log",
  "/s/t/c.txt",
  "/sa",
  "/z/.zipfs/x",
];
const files: readonly ViewFile[] = paths.map((path) => ({
  path: path as RootPath,
  size: 1,
  lines: path === "/image" ? null : 1,
}));
const withoutLogs = createIgnoreFilter(
  (directory) => (directory === "/" ? "*.log\nt/\n" : null),
  new WorkMeter(ignoreWorkMax),
);

function selected(targets: readonly string[], isIgnored: ((file: RootPath) => boolean) | null = null): string[] {
  return [...selectCandidates(files, targets as readonly RootPath[], isIgnored)].map(({ path }) => path);
}

describe("candidates", () => {
  it("are the text files at or below the paths, in the order of the view (seed 002 §3.1)", () => {
    expect(selected(["/"])).toEqual([
      "/.gitignore",
      "/a.log",
      "/s/a.txt",
      "/s/b.log",
      "/s/t/c.txt",
      "/sa",
      "/z/.zipfs/x",
    ]);
    expect(selected(["/s"])).toEqual(["/s/a.txt", "/s/b.log", "/s/t/c.txt"]);
  });

  it("come once, whatever paths overlap, and unknown paths add none", () => {
    expect(selected(["/s/t", "/s", "/s/t/c.txt", "/nothing"])).toEqual(["/s/a.txt", "/s/b.log", "/s/t/c.txt"]);
    expect(selected([])).toEqual([]);
  });

  it("leave out binary files, even named ones (seed 002 §2.3)", () => {
    expect(selected(["/image"])).toEqual([]);
  });

  it("leave out what rules ignore, but not a file that is named (seed 002 §3.1)", () => {
    expect(selected(["/"], withoutLogs)).toEqual(["/.gitignore", "/s/a.txt", "/sa", "/z/.zipfs/x"]);
    expect(selected(["/", "/a.log", "/s/t/c.txt"], withoutLogs)).toContain("/a.log");
    expect(selected(["/s/t/c.txt"], withoutLogs)).toEqual(["/s/t/c.txt"]);
    expect(selected(["/s/t"], withoutLogs)).toEqual([]);
  });

  it("include the area of zip sessions only where a path is at or below it", () => {
    expect(selected(["/.zipfs"])).toEqual(["/.zipfs/s/a.txt"]);
    expect(selected(["/.zipfs/s", "/"])).toContain("/.zipfs/s/a.txt");
    expect(selected(["/.zipfs/s/a.txt"])).toEqual(["/.zipfs/s/a.txt"]);
    expect(selected(["/.zipfs/t"])).toEqual([]);
  });
});

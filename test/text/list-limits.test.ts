// Directories with many entries: an answer holds 1000 unless asked otherwise, 10 000 at most (LIST_DEFAULT, LIST_MAX). Only deep runs have as many.
import { expect, it } from "vitest";
import { counts } from "../counts";
import { TextRoot } from "./text-root";

const files = counts.listedFiles;
const parallel = 16;
const name = (index: number) => `f${String(index).padStart(6, "0")}`;

it(
  "MCP-020 a list is cut at its limit and says so, and the pages join to the whole",
  async () => {
    const root = await TextRoot.signIn({ era: "2026-07-28" });
    for (let first = 0; first < files; first += parallel) {
      const indexes = Array.from({ length: Math.min(parallel, files - first) }, (_, n) => first + n);
      await Promise.all(indexes.map((index) => root.create(`/many/${name(index)}`, "")));
    }
    const names = Array.from({ length: files }, (_, index) => name(index));
    const entries = (from: number, to: number) => names.slice(from, to).map((one) => ({ name: one, type: "file" }));
    const facts = { path: "/many", total: files };
    expect(await root.ok("file.list", { path: "/many" })).toEqual({
      ...facts,
      entries: entries(0, 1000),
      truncated: files > 1000,
    });
    expect(await root.ok("file.list", { path: "/many", limit: 10_000, offset: 1 })).toEqual({
      ...facts,
      entries: entries(1, 10_001),
      truncated: false,
    });
    const listed = (await root.request("resources/read", { uri: "list://many" })).body.result.contents[0].text;
    expect(JSON.parse(listed)).toEqual({ ...facts, entries: entries(0, 10_000), truncated: files > 10_000 });
  },
  counts.deep ? 600_000 : 60_000,
);

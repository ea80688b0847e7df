// Directories with more entries than one answer holds: 1000 unless asked otherwise, 10 000 at most (LIST_DEFAULT, LIST_MAX).
import { expect, it } from "vitest";
import { counts } from "../counts";
import { TextRoot } from "./text-root";

const files = counts.listedFiles;
/** Files of one patch at most. */
const patchFiles = 1000;
const names = Array.from({ length: files }, (_, index) => `f${String(index).padStart(6, "0")}`);

it("MCP-020 a list is cut at its limit and says so, and the pages join to the whole", async () => {
  const root = await TextRoot.signIn({ era: "2026-07-28" });
  for (let first = 0; first < files; first += patchFiles) {
    const { status, text } = await root.call("workspace.apply_patch", { patch: creating(first, first + patchFiles) });
    expect(status, text.slice(0, 500)).toBe(200);
  }
  const entries = (from: number, to: number) => names.slice(from, to).map((name) => ({ name, type: "file" }));
  const facts = { path: "/many", total: files };
  expect(await root.ok("file.list", { path: "/many" })).toEqual({
    ...facts,
    entries: entries(0, 1000),
    truncated: true,
  });
  expect(await root.ok("file.list", { path: "/many", limit: 10_000, offset: 1 })).toEqual({
    ...facts,
    entries: entries(1, 10_001),
    truncated: false,
  });
  const listed = (await root.request("resources/read", { uri: "list://many" })).body.result.contents[0].text;
  expect(JSON.parse(listed)).toEqual({ ...facts, entries: entries(0, 10_000), truncated: files > 10_000 });
}, 300_000);

/** A patch that creates empty files: thousands of them one by one would take minutes. */
function creating(from: number, to: number): string {
  return names
    .slice(from, to)
    .map((name) => `diff --git a/many/${name} b/many/${name}\nnew file mode 100644\nindex 0000000..e69de29\n`)
    .join("");
}

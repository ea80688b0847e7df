// Answers that would be longer than any answer may be: their lists are cut and say so, and what was done is told.
import { describe, expect, it } from "vitest";
import { bytesOf } from "../harness/zip-builder";
import { ZipRoot } from "./zip-root";

describe("RESPONSE_MAX", () => {
  it("zipfs.md §3: an archive of skipped names as long as names can be opens; those that would not fit are counted", async () => {
    const root = await ZipRoot.signIn();
    const long = (index: number) => `${index}${"\u0001".repeat(65_000)}`;
    const { warnings, file_count: files } = await root.opened("long", [
      ...Array.from({ length: 120 }, (_, index) => ({ name: long(index), data: "" })),
      { name: "good", data: "x" },
    ]);
    expect(files).toBe(1);
    expect(warnings[0]).toEqual({ entry: long(0), reason: "control_character" });
    expect(warnings.at(-1)).toEqual({ entry: "", reason: `${121 - warnings.length} more` });
    expect((await root.ok("zipfs_sessions", {})).sessions).toHaveLength(1);
  });

  it("zipfs.md §5, §6.7: status and preview list as many paths as fit, say so, and count all", async () => {
    const root = await ZipRoot.signIn();
    const count = 3000;
    const long = (index: number) => `top/${index}-${"d".repeat(240)}/${"e".repeat(250)}/${"f".repeat(250)}`;
    await root.opened(
      "deep",
      Array.from({ length: count }, (_, index) => ({ name: long(index), data: "" })),
    );
    expect(await root.ok("zipfs_status", {})).not.toHaveProperty("truncated");
    await root.ok("zipfs_delete", { path: "top", recursive: true });
    const status = await root.ok("zipfs_status", {});
    expect(status).toMatchObject({ truncated: true, unchanged_count: 0 });
    expect(status.deleted.length).toBeGreaterThan(100);
    expect(status.deleted.length).toBeLessThan(count);
    expect(await root.ok("zipfs_sync", { dry_run: true })).toMatchObject({ truncated: true, files_deleted: count });
  });

  it("zipfs.md §4 zipfs_grep: all matching lines are counted, as many are shown as fit with their context", async () => {
    const root = await ZipRoot.signIn();
    const { workspace_path: workspace } = await root.opened("wide", []);
    await root.put(`${workspace}/wide`, bytesOf(`needle${"é\u0002".repeat(990)}\n`.repeat(1000)));
    const found = await root.ok("zipfs_grep", { pattern: "needle", max_results: 1000, context_lines: 10 });
    expect(found).toMatchObject({ total_matches: 1000, truncated: true, incomplete: false });
    expect(found.matches.length).toBeGreaterThan(10);
    expect(found.matches[0]?.after).toHaveLength(10);
    expect(found.matches.map(({ line_number: line }) => line)).toEqual(found.matches.map((_, index) => index + 1));
  });
});

// What tools/list says of the zip family: the tools of seed 003 with its parameters and ours, and the annotations of zipfs.md §10.
import { beforeAll, describe, expect, it } from "vitest";
import { type Era, eras, type ListedTool } from "../harness/tool-root";
import { ZipRoot } from "./zip-root";

const table = [
  // name, readOnly, destructive, idempotent, arguments, required ones
  ["zipfs_open", false, false, false, "path name", "path"],
  ["zipfs_close", false, true, false, "session sync", ""],
  ["zipfs_ls", true, false, true, "session path recursive limit cursor", ""],
  ["zipfs_tree", true, false, true, "session path max_depth", ""],
  ["zipfs_read", true, false, true, "session path encoding offset limit", "path"],
  ["zipfs_write", false, true, true, "session path content encoding create_dirs hash", "content path"],
  ["zipfs_delete", false, true, false, "session path recursive", "path"],
  ["zipfs_grep", true, false, true, "session pattern path glob ignore_case max_results context_lines", "pattern"],
  ["zipfs_path", true, false, true, "session", ""],
  ["zipfs_sync", false, true, true, "session force dry_run", ""],
  ["zipfs_status", true, false, true, "session", ""],
  ["zipfs_sessions", true, false, true, "", ""],
  ["zipfs_prune", false, true, false, "all stale dry_run", ""],
] as const;

describe.each(eras)("tools/list in %s", (era: Era) => {
  let tools: ListedTool[];
  beforeAll(async () => {
    const root = await ZipRoot.signIn({ era });
    const all: ListedTool[] = (await root.request("tools/list", {})).body.result.tools;
    tools = all.filter(({ name }) => name.startsWith("zipfs_"));
  });

  it("has the thirteen tools of seed 003 and no other of the family", () => {
    expect(tools.map(({ name }) => name).sort()).toEqual(table.map(([name]) => name).sort());
  });

  it.each(table)("shows %s with its annotations and arguments", (name, reads, destroys, repeats, known, required) => {
    const tool = tools.find((one) => one.name === name);
    expect(tool?.annotations).toMatchObject({
      readOnlyHint: reads,
      destructiveHint: destroys,
      idempotentHint: repeats,
      openWorldHint: false,
    });
    expect(tool?.inputSchema.additionalProperties).toBe(false);
    const words = (text: string) => text.split(" ").filter((word) => word !== "");
    expect(Object.keys(tool?.inputSchema.properties ?? {}).sort()).toEqual(words(known).sort());
    expect([...(tool?.inputSchema.required ?? [])].sort()).toEqual(words(required));
  });
});

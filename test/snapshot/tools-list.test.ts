// What tools/list says of the snapshot family (snapshot.md §3.2, §7): order, annotations, arguments, the branches of answers; and the example of §15, byte for byte.
import { beforeAll, describe, expect, it } from "vitest";
import { type Era, eras, SnapshotRoot } from "./snapshot-root";

const view = "mode snapshot_id lease_id";
const table = [
  // name, reads only, branches of its answer, arguments, required ones
  ["snapshot.create", true, "immutable", "lease_id paths", ""],
  ["snapshot.list", true, "immutable until_dirty", `${view} path depth ignore_rules limit offset`, ""],
  ["snapshot.file", true, "immutable until_dirty", `${view} path`, "path"],
  [
    "snapshot.grep",
    true,
    "immutable until_dirty",
    `${view} query paths regex case_sensitive ignore_rules max_files max_matches`,
    "query",
  ],
  ["snapshot.diff", true, "immutable until_dirty", `${view} path from_snapshot_id`, ""],
  ["snapshot.changes", true, "immutable", "snapshot_id from_snapshot_id rename_detection limit offset", "snapshot_id"],
  ["snapshot.info", true, "immutable", "snapshot_id", "snapshot_id"],
  ["snapshot.export", true, "immutable until_dirty", `${view} paths format`, ""],
  ["workspace.apply_patch", false, "immutable until_dirty", `${view} patch strip dry_run reject_on_conflict`, "patch"],
  ["workspace.write_file", false, "until_dirty", "path content lease_id create_dirs dry_run", "path content lease_id"],
  ["workspace.delete", false, "until_dirty", "path lease_id recursive dry_run", "path lease_id"],
  [
    "workspace.restore",
    false,
    "until_dirty",
    "snapshot_id lease_id paths delete_extra dry_run",
    "snapshot_id lease_id",
  ],
] as const;

interface Branch {
  readonly additionalProperties: boolean;
  readonly properties: Readonly<Record<string, { readonly const?: string }>>;
  readonly required: readonly string[];
}

interface Listed {
  readonly name: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly inputSchema: {
    readonly properties: object;
    readonly required?: readonly string[];
    additionalProperties: boolean;
  };
  readonly outputSchema: { readonly type: string; readonly oneOf: readonly Branch[] };
}

describe.each(eras)("tools/list in %s", (era: Era) => {
  let tools: Listed[];
  beforeAll(async () => {
    const root = await SnapshotRoot.signIn({ era });
    const all: Listed[] = (await root.request("tools/list", {})).body.result.tools;
    tools = all.filter(({ name }) => /^(snapshot|workspace)\./.test(name));
  });

  it("seed 002 §3.1 §3.2: shows the family in the order of the specification", () => {
    expect(tools.map(({ name }) => name)).toEqual(table.map(([name]) => name));
  });

  it.each(table)(
    "seed 002 §5: %s has its annotations, arguments and branches",
    (name, reads, hints, known, required) => {
      const tool = tools.find((one) => one.name === name);
      expect(tool?.annotations).toMatchObject({
        readOnlyHint: reads,
        destructiveHint: !reads,
        idempotentHint: reads,
        openWorldHint: false,
      });
      expect(tool?.inputSchema.additionalProperties).toBe(false);
      expect(Object.keys(tool?.inputSchema.properties ?? {}).sort()).toEqual(known.split(" ").sort());
      expect([...(tool?.inputSchema.required ?? [])].sort().join(" ")).toBe(required.split(" ").sort().join(" "));

      expect(tool?.outputSchema.type).toBe("object");
      const branches = tool?.outputSchema.oneOf ?? [];
      expect(branches.every((branch) => branch.additionalProperties === false)).toBe(true);
      expect(Object.keys(branches.at(-1)?.properties ?? {})).toEqual(["error"]);
      const successes = branches.slice(0, -1);
      expect(successes.map(({ properties }) => properties.cache_hint?.const)).toEqual(hints.split(" "));
      for (const { properties, required: always } of successes) {
        const isLive = properties.cache_hint?.const === "until_dirty";
        const wanted = isLive ? ["cache_hint", "fingerprint", "lease_id"] : ["cache_hint", "snapshot_id"];
        expect(always).toEqual(expect.arrayContaining(wanted));
        expect(properties).not.toHaveProperty(isLive ? "snapshot_id" : "lease_id");
      }
    },
  );
});

describe("the example of the specification", () => {
  it("snapshot.md §15: holds to the byte", async () => {
    const root = await SnapshotRoot.signIn();
    await root.create({ "readme.md": "hello holdfast\n" });
    const { lease_id, ...listed } = await root.ok("snapshot.list", {});
    const fingerprint = {
      head_oid: "",
      index_oid: "fa194c231d133c598dfe892f5473ea0fdc64bb5d",
      status_hash: "15f4332e20d7a749b3522988a84a61f2fbb6f5e84ec5ea21caf19ef83337aa50",
    };
    expect(listed).toEqual({
      mode: "worktree",
      path: ".",
      entries: [{ path: "readme.md", type: "file", size: 15, sha: "40d89754e151cb09cf6b1369ae22fda63e8e5c3e" }],
      total: 1,
      truncated: false,
      fingerprint,
      cache_hint: "until_dirty",
    });
    expect(await root.ok("snapshot.create", { lease_id })).toEqual({
      snapshot_id: "sha256:7d892311dd6742377fa9e17ee2916685606b5f7ee36c1b5132a44bc772d5e771",
      fingerprint,
      files: 1,
      total_bytes: 15,
      cache_hint: "immutable",
    });
  });
});

// How `npm test` finds rules that no test proves. That none is missing, it judges itself after the run.
import { describe, expect, it } from "vitest";
import { leftOut, ruleIds, unprovenRules } from "../scripts/rule-ids.mjs";

const report = (...tests: [status: string, fullName: string][]) => ({
  testResults: [{ assertionResults: tests.map(([status, fullName]) => ({ status, fullName })) }],
});

describe("the list of rules", () => {
  it("names each once, and none that was left out", () => {
    expect(new Set(ruleIds).size).toBe(ruleIds.length);
    for (const id of ruleIds) expect(id).toMatch(/^((MCP|AUTH)-\d{3}|seed \d{3} (§\d(\.\d)?|[A-Z_]+|zipfs_[a-z]+))$/);
    expect(ruleIds.filter((id) => id in leftOut)).toEqual([]);
  });

  it("counts a rule as proven by a test that passed with the id in its title, and by no other", () => {
    const [first = "", second = "", third = "", ...rest] = ruleIds;
    const unproven = unprovenRules(
      report(
        ["passed", `a group (${first}) reads a file`],
        ["failed", `${second} x`],
        ["skipped", third],
        ["passed", `${third}9 x`],
        ["passed", "seed 002, and §1.1 elsewhere"],
      ),
    );
    expect(unproven).toEqual([second, third, ...rest]);
    expect(unprovenRules(report(["passed", ruleIds.join(" ")]))).toEqual([]);
  });
});

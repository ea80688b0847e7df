/** The table of path attacks against the one parser of paths. Through the tools: test/text/path-attacks.test.ts. */
import { describe, expect, it } from "vitest";
import { attacks, shownAttack as title } from "../../test/harness/path-attacks";
import { normalizePath } from "./path";
import { covers, parseScopes } from "./scopes";

describe("path attacks", () => {
  it("MCP-027: the table has at least 300 different ones", () => {
    expect(new Set(attacks.map(([raw]) => raw)).size).toBeGreaterThanOrEqual(300);
  });

  it.each(
    attacks.map(
      ([raw, wanted]) => [title(raw), wanted === null ? "is refused" : `is ${title(wanted)}`, raw, wanted] as const,
    ),
  )("MCP-026 MCP-027 MCP-028: %s %s", (_title, _outcome, raw, wanted) => {
    const result = normalizePath(raw);
    expect(result.ok ? result.value : null).toBe(wanted);
    if (!result.ok) expect(result.error.message).toMatch(/^path: .*\.$/s);
  });

  it("AUTH-040 AUTH-041: none reaches outside the folder of a token by its spelling", () => {
    const scopes = parseScopes("write:/jail/");
    for (const [raw] of attacks) {
      const path = normalizePath(typeof raw === "string" ? `/jail/${raw}` : raw);
      if (path.ok)
        expect(covers(scopes, { verb: "write", path: path.value })).toBe(
          path.value === "/jail" || path.value.startsWith("/jail/"),
        );
    }
  });
});

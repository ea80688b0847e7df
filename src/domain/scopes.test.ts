/** Scope grammar, coverage and its way back to text (text.md §3). The 403 itself is the edge's. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { normalizePath, type RootPath } from "./path";
import {
  covers,
  coversListing,
  formatScope,
  isWithin,
  neededScopeText,
  parseScope,
  parseScopes,
  refusalMessage,
  type Scope,
} from "./scopes";

const may = (scopes: string, verb: "read" | "write", path: string) =>
  covers(parseScopes(scopes), { verb, path: path as RootPath });

describe("coverage", () => {
  it("AUTH-020 AUTH-023: / covers everything", () => {
    expect(["/", "/a", "/a/b/c"].every((path) => may("read:/", "read", path) && may("write:/", "write", path))).toBe(
      true,
    );
  });

  it.each(["/work/", "/work"])(
    "AUTH-021 AUTH-022 AUTH-034 AUTH-036 AUTH-037: %s covers the directory and all below, existing or not, and nothing beside",
    (path) => {
      expect(["/work", "/work/a.md", "/work/sub/b.md"].map((target) => may(`read:${path}`, "read", target))).toEqual([
        true,
        true,
        true,
      ]);
      expect(
        ["/", "/workfiles/a.md", "/wor", "/Work/a.md", "/other/work/a"].map((target) =>
          may(`read:${path}`, "read", target),
        ),
      ).toEqual([false, false, false, false, false]);
    },
  );

  it("AUTH-035: /work/* covers the directory and its direct children", () => {
    expect(["/work", "/work/a.md", "/work/sub"].map((path) => may("read:/work/*", "read", path))).toEqual([
      true,
      true,
      true,
    ]);
    expect(["/work/sub/b.md", "/workx", "/"].map((path) => may("read:/work/*", "read", path))).toEqual([
      false,
      false,
      false,
    ]);
    expect(["/", "/a", "/a/b"].map((path) => may("read:/*", "read", path))).toEqual([true, true, false]);
  });

  it("AUTH-035: a file named * is asked for as %2A, and there is no other glob", () => {
    expect(may("read:/work/%2A", "read", "/work/*")).toBe(true);
    expect(may("read:/work/%2A", "read", "/work/a")).toBe(false);
    expect(may("read:/work/**", "read", "/work/a")).toBe(false);
    expect(may("read:/w*", "read", "/work")).toBe(false);
    expect(may("read:/*/a", "read", "/work/a")).toBe(false);
  });

  it("AUTH-038: is case-sensitive", () => expect(may("read:/work/", "read", "/WORK/a")).toBe(false));

  it("AUTH-031 AUTH-032 AUTH-039: write includes read, read does not include write", () => {
    expect(may("write:/work/", "read", "/work/a")).toBe(true);
    expect(may("read:/work/", "write", "/work/a")).toBe(false);
  });

  it("AUTH-030: no match, no scope and no understandable scope are refused", () => {
    for (const scopes of [
      "",
      " ",
      "read",
      "read:",
      "read:work",
      "read:%2Fwork",
      "READ:/",
      "admin:/",
      "read:/../",
      "read:/a/../..",
      "read:/%",
      "read:/%C3",
      "read:/%00",
      "read:/.git",
      " read :/",
      "read:/%5C",
      "openid",
      "read:/C:/",
      "\nread:/",
    ]) {
      expect(may(scopes, "read", "/a")).toBe(false);
    }
  });

  it("AUTH-015: scopes are separated by spaces; those that cannot be parsed are dropped", () => {
    expect(parseScopes("openid read:/a  write:/b/* read:/%zz").map((scope) => formatScope(scope))).toEqual([
      "read:/a",
      "write:/b/*",
    ]);
  });

  it("AUTH-040 AUTH-041: a scope path is decoded once and normalized", () => {
    expect(parseScope("read:/a/../work/")).toEqual({ verb: "read", path: "/work", reach: "tree" });
    expect(parseScope("read:/my%20notes/%C3%A9")?.path).toBe("/my notes/é");
    expect(parseScope("read:/%2541")?.path).toBe("/%41");
    expect(parseScope("read:/%2e%2e/x")).toBeNull();
    expect(parseScope("read:/a/%2e%2e/b")?.path).toBe("/b");
  });

  it("AUTH-035: listing a directory needs its direct children too", () => {
    const lists = (scopes: string, path: string) => coversListing(parseScopes(scopes), path as RootPath);
    expect([
      lists("read:/work/*", "/work"),
      lists("read:/work/*", "/work/sub"),
      lists("read:/work", "/work/sub"),
      lists("write:/", "/"),
      lists("read:/*", "/"),
      lists("read:/work/", "/"),
    ]).toEqual([true, false, true, true, true, false]);
  });
});

describe("isWithin", () => {
  const within = (scope: string, granted: string) => isWithin(parseScope(scope) as Scope, parseScopes(granted));

  it("AUTH-030: a narrowed scope never grants more than was granted", () => {
    expect([
      within("read:/a/b", "read:/a"),
      within("read:/a/*", "read:/a"),
      within("read:/a", "write:/a"),
      within("read:/a/*", "write:/a/*"),
    ]).toEqual([true, true, true, true]);
    expect([
      within("read:/a", "read:/a/*"),
      within("write:/a", "read:/a"),
      within("read:/", "read:/a"),
      within("read:/a/b", "read:/a/*"),
      within("read:/a/b/*", "read:/a/*"),
      within("read:/ab", "read:/a"),
    ]).toEqual([false, false, false, false, false, false]);
  });

  const paths = fc
    .array(fc.constantFrom("a", "b", "ab"), { maxLength: 4 })
    .map((names) => `/${names.join("/")}` as RootPath);
  const verbs = fc.constantFrom("read" as const, "write" as const);
  const scopes = fc.record({ verb: verbs, path: paths, reach: fc.constantFrom("tree" as const, "children" as const) });

  it("AUTH-030 AUTH-039: what lies within a grant covers nothing that the grant does not", () => {
    fc.assert(
      fc.property(scopes, fc.array(scopes, { maxLength: 3 }), verbs, paths, (scope, granted, verb, path) => {
        if (!isWithin(scope, granted)) return true;
        return (
          (!covers([scope], { verb, path }) || covers(granted, { verb, path })) &&
          (!coversListing([scope], path) || coversListing(granted, path))
        );
      }),
      { seed, numRuns: 20_000 },
    );
  });
});

describe("scopes as text", () => {
  it("MCP-051: names what is needed, the directory form for a listing", () => {
    expect(neededScopeText({ verb: "write", path: "/notes/a.md" as RootPath })).toBe("write:/notes/a.md");
    expect(neededScopeText({ verb: "read", path: "/work/sub" as RootPath, listing: true })).toBe("read:/work/sub/");
    expect(neededScopeText({ verb: "read", path: "/" as RootPath, listing: true })).toBe("read:/");
    expect(neededScopeText({ verb: "read", path: '/a "b"*%é😀\u007f' as RootPath })).toBe(
      "read:/a%20%22b%22%2A%25%C3%A9%F0%9F%98%80%7F",
    );
  });

  it("MCP-051 MCP-052: the refusal tells which scope to ask for", () => {
    expect(refusalMessage({ verb: "write", path: "/notes/a.md" as RootPath })).toBe(
      "This token may not write /notes/a.md. Ask for the scope write:/notes/a.md (or write:/notes/ for the whole directory) and authorize again.",
    );
    expect(refusalMessage({ verb: "read", path: "/work/sub" as RootPath, listing: true })).toBe(
      "This token may not list /work/sub. Ask for the scope read:/work/sub/ and authorize again.",
    );
    expect(refusalMessage({ verb: "read", path: "/" as RootPath })).toBe(
      "This token may not read /. Ask for the scope read:/ and authorize again.",
    );
  });

  it("AUTH-015: formatting and parsing lead back to the same scope, as plain ASCII without blanks or quotes", () => {
    const names = fc.string({ unit: "binary", minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(names, { maxLength: 4 }),
        fc.constantFrom("tree" as const, "children" as const),
        fc.constantFrom("path" as const, "directory" as const),
        (parts, reach, form) => {
          const path = normalizePath(`/${parts.join("/")}`);
          if (!path.ok) return;
          const scope: Scope = { verb: "read", path: path.value, reach };
          const text = formatScope(scope, form);
          expect(text).toMatch(/^[!#-[\]-~]+$/);
          expect(parseScope(text)).toEqual(scope);
        },
      ),
      { seed, numRuns: 10_000 },
    );
  });
});

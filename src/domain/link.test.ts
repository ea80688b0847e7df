/** Single-use links as text: what was signed opens, everything else does not. And the lines for a shell. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seed } from "../../test/counts";
import { curlDownload, curlUpload } from "./curl-line";
import { encodeUrl, looksLikeLink, openLink, signLink, ticketBytes } from "./link";
import { normalizePath, type RootPath } from "./path";
import type { UserId } from "./principal";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const keys = bytes(32);
const links = fc.record({
  userId: bytes(16).map((id) => Buffer.from(id).toString("hex") as UserId),
  ticket: bytes(ticketBytes).map((ticket) => encodeUrl(ticket)),
});

describe("a link", () => {
  it("opens with the key that signed it, and with no other", () => {
    fc.assert(
      fc.property(keys, keys, links, (key, other, link) => {
        const text = signLink(key, link);
        expect(text).toMatch(/^[A-Za-z0-9_-]{88}$/);
        expect(openLink(key, text)).toEqual(link);
        if (!Buffer.from(key).equals(other)) expect(openLink(other, text)).toBeNull();
      }),
      { seed, numRuns: 2000 },
    );
  });

  it("does not open with any one character changed, dropped or added", () => {
    const key = new Uint8Array(32).fill(7);
    const text = signLink(key, { userId: "0123456789abcdef".repeat(2) as UserId, ticket: "A".repeat(24) });
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (let at = 0; at < text.length; at++) {
      for (const sign of `${alphabet}=%./+ `) {
        if (sign === text[at]) continue;
        expect(openLink(key, text.slice(0, at) + sign + text.slice(at + 1))).toBeNull();
      }
      expect(openLink(key, text.slice(0, at) + text.slice(at + 1))).toBeNull();
      expect(openLink(key, `${text.slice(0, at)}A${text.slice(at)}`)).toBeNull();
    }
  });

  it.each(["", "x", "../x", "A".repeat(87), "A".repeat(89), `${"A".repeat(87)}\n`, `${"A".repeat(88)}/`])(
    "needs no key to refuse %j",
    (text) => {
      expect(looksLikeLink(text)).toBe(false);
    },
  );

  it("is never made of something that is no user id or no ticket", () => {
    const key = new Uint8Array(32);
    const ticket = "A".repeat(24);
    expect(() => signLink(key, { userId: "abc" as UserId, ticket })).toThrow();
    expect(() => signLink(key, { userId: "0".repeat(32) as UserId, ticket: "A" })).toThrow();
  });
});

describe("a line for a shell", () => {
  const url = "https://holdfast.example/links/abc-_";
  const names = fc
    .array(
      fc.constantFrom(
        "a",
        " ",
        "'",
        '"',
        "$",
        "`",
        "(",
        ";",
        "&",
        "|",
        "*",
        "?",
        "[",
        "{",
        "-",
        "~",
        "#",
        "!",
        "é",
        "😀",
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((signs) => signs.join(""));

  it("keeps whatever stands in a file name to one argument", () => {
    fc.assert(
      fc.property(names, (name) => {
        const path = normalizePath(`/d/${name}`);
        if (!path.ok) throw new Error(path.error.message);
        expect(argumentsOf(curlUpload(url, path.value))).toEqual(["--fail-with-body", "-gsS", "-T", `./${name}`, url]);
        expect(argumentsOf(curlDownload(url, path.value))).toEqual(["-fgsS", "-o", `./${name}`, url]);
      }),
      { seed, numRuns: 60 },
    );
  });

  it.each(["/-", "/--version", "/@x"])("names %s as a file, no option and no stream", (path) => {
    expect(argumentsOf(curlUpload(url, path as RootPath))[3]).toBe(`.${path}`);
  });

  /** What a real shell makes of the line, with a function in place of curl. */
  function argumentsOf(line: string): string[] {
    const shell = spawnSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${line}`], { encoding: "utf8" });
    expect(shell.stderr).toBe("");
    return shell.stdout.split("\0").slice(0, -1);
  }
});

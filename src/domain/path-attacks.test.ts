/**
 * A table of paths that attackers send (traversal, drive letters, UNC, devices, encodings, git's own names, Unicode look-alikes).
 * Each must be refused, or stay a harmless name inside the root: nothing is decoded, folded or clamped on the way.
 */
import { describe, expect, it } from "vitest";
import { normalizePath } from "./path";
import { covers, parseScopes } from "./scopes";

type Attack = readonly [raw: unknown, wanted: string | null];

const allRefused = (...raws: unknown[]): Attack[] => raws.map((raw) => [raw, null]);
/** Stays as it is, one name or path below the root. */
const literal = (...raws: string[]): Attack[] => raws.map((raw) => [raw, `/${raw}`]);

const climbing = ["..", "../", "/..", "/../", "./..", "../..", "../../..", "a/../..", "a/../../b", "a/b/../../..", "/a/../../etc", "../etc/passwd", "/../etc/passwd", "../../etc/passwd", "../../../etc/passwd", "../../../../../../../../etc/passwd", "/../../../../etc/shadow", "./../x", "././../x", ".//..//x", "//../x", "///..///x", "a//../..//b", "a/./../../b", "a/b/c/../../../../d", "notes/../../other-user/a.md", "/notes/../../u/a.md", "..//..//..//etc", "../.", ".././", "../a/..", "../a/../b", "a/../b/../..", "a/../b/../../c", "/./.././x", "../../", "/a/b/../../../", "x/../../x/../../y", "../.git/config", "../../root/.ssh/id_rsa", "/../proc/self/environ", "../dev/null"];

const backslashes = ["\\", "\\\\", "..\\", "..\\..\\x", "a\\b", "a\\..\\b", "\\etc\\passwd", "\\\\server\\share", "\\\\?\\C:\\x", "\\\\.\\pipe\\x", "/\\x", "\\/x", "a/\\../b", "a/..\\/b", "..\\/..\\/x", "/..\\..", "a\\", "\\a", "notes\\a.md", "C:\\Users\\f.txt", "c:\\", "\\\\localhost\\c$\\x", "\\??\\C:\\x", "file:\\\\x", "a\\x00b"];

const drives = ["C:", "C:/", "C:/x", "c:x", "z:/y", "C:/../x", "/C:", "/C:/x", "/c:/x", "//C:/x", "./C:/x", "/./C:/x", "x/../C:/y", "a/b/../../D:/y", "C:..", "C:.", "a:", "A:b", "Z:/", "C:/Windows/System32/config/SAM", "/d:", "//d:/", "x:stream", "C:%2fx", "c:/..", "C::$DATA"];

const controls = [
  ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`),
  "\u007f", "a\u007f", "/etc/passwd\0", "/notes/a.md\0.txt", "\0", "..\0/x", "a/\0/b", "a\r\nSet-Cookie: x", "a\r\n\r\n<script>", "\t", "a\n", "\u001b[2J",
];

const gitNames = [".git", ".GIT", ".Git", ".gIt", "/.git/", ".git/config", "a/.git", "a/.git/hooks/pre-commit", ".git.", ".git..", ".git ", ".git  ", ".git. .", ".git . ", ".git:x", ".git:", ".git::$INDEX_ALLOCATION", ".git ::$INDEX_ALLOCATION", ".GIT:x/y", "git~1", "GIT~1", "Git~1", "git~1/config", "a/GIT~1 ", "git~1.", "git~1:x", ".git:\u2028", "git~1 . :\u2029x",
  ".g\u200cit", ".gi\u200dt", "\u200e.git", ".git\u200f", ".\u202agit", ".g\u202bit", ".gi\u202ct", ".git\u202d", "\u202e.git", ".g\u206ait", ".g\u206bit", ".gi\u206ct", ".git\u206d", "\u206e.git", ".git\u206f", "\ufeff.git", ".git\ufeff", ".\u200cg\u200di\u200et\u200f", "g\u200cit~1", "GIT\ufeff~1", ".G\u200cI\u200dT . :x", "a/b/.g\ufeffit/c", ".git\u200c.", ".git \u200c"];

const malformed: unknown[] = ["", "\ud800", "a\udfff", "\udc00\ud800", "a/\ud83d/b", undefined, null, 0, 1, true, false, {}, [], ["/a"], [".."], { toString: () => "/a" }, Number.NaN, 10n, Symbol("x"), () => "/a"];

const oversized = ["x".repeat(256), `a/${"x".repeat(256)}`, "😀".repeat(64), "a/".repeat(65), "a/".repeat(100_000), "x".repeat(1_000_000), `${"x".repeat(250)}/`.repeat(5), "é".repeat(128)];

const harmless: Attack[] = [
  ...literal("%2e%2e/x", "%2e%2e%2fetc", "..%2f..%2fx", "%2E%2E%5Cx", "%252e%252e%252f", "..%c0%af", "..%c1%9c", "%00", "a%00b", "%5c..%5c", "..%u2215x", "&#46;&#46;/x", "..;/x", "...", "....", ".../...", "..a", "a..", ". .", ".. ", " ..", "..\u00a0", ".\u200b.", "\u202e..", "..\ufeff/x"),
  ...literal("．．/x", "‥/x", "…/x", "․․/x", "..∕etc", "..⁄etc", "..／etc", "..＼x", "a⧵b", "a﹨b", "\uff43:/x", "\u0421:/x"),
  ...literal("~", "~/x", "~root/.ssh", "$HOME/x", "${HOME}", "$(id)", "`id`", "|id", ";id", "a;rm -rf", "&&id", "*", "?", "[a]", "{a,b}", "-rf", "--help", "'", '"', "<script>", "'; DROP TABLE nodes;--", "a%_b", "%s%n", "{{7*7}}", "a,b", "a=b", "@x", "#x", "a?b#c", "file:/x"),
  ...literal("CON", "NUL", "aux.txt", "COM1", "LPT1.x", "a.", "a ", "x/a:b", "x/C:/y", "aa::$DATA", "é", "e\u0301", "\u2028", "\u0085", "😀", "～"),
  ...literal(".gitx", ".gitignore", ".gitattributes", ".gitmodules", ".git~1", "git~2", "git~10", "agit", "git", ".gi", "x.git", ".git-x", ".gıt", ".ｇit", ".git\u200b", ".git_", "git~1x", ".github/x"),
  ...literal("__proto__", "constructor", "toString", "__proto__/polluted", "hasOwnProperty", "index", "null", "undefined"),
  ["....//x", "/..../x"], ["/etc/passwd", "/etc/passwd"], ["//etc/passwd", "/etc/passwd"], ["//server/share/x", "/server/share/x"], ["/proc/self/environ", "/proc/self/environ"], ["file:///etc/passwd", "/file:/etc/passwd"], ["http://169.254.169.254/x", "/http:/169.254.169.254/x"], ["list://x", "/list:/x"], ["/a/../a", "/a"], ["a/b/../c", "/a/c"], ["a/..", "/"], ["./.", "/"], ["/////", "/"], ["a/./././b", "/a/b"], ["/notes/../work/a.md", "/work/a.md"],
];

const attacks: Attack[] = [...allRefused(...climbing, ...backslashes, ...drives, ...controls, ...gitNames, ...malformed, ...oversized), ...harmless];

function title(raw: unknown): string {
  const text = typeof raw === "string" ? JSON.stringify(raw) : String(typeof raw === "object" ? JSON.stringify(raw) : String(raw));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

describe("path attacks", () => {
  it("MCP-027: the table has at least 300 different ones", () => {
    expect(new Set(attacks.map(([raw]) => raw)).size).toBeGreaterThanOrEqual(300);
  });

  it.each(attacks.map(([raw, wanted]) => [title(raw), wanted === null ? "is refused" : `is ${title(wanted)}`, raw, wanted] as const))(
    "MCP-026 MCP-027 MCP-028: %s %s",
    (_title, _outcome, raw, wanted) => {
      const result = normalizePath(raw);
      expect(result.ok ? result.value : null).toBe(wanted);
      if (!result.ok) expect(result.error.message).toMatch(/^path: .*\.$/s);
    },
  );

  it("AUTH-040 AUTH-041: none reaches outside the folder of a token by its spelling", () => {
    const scopes = parseScopes("write:/jail/");
    for (const [raw] of attacks) {
      const path = normalizePath(typeof raw === "string" ? `/jail/${raw}` : raw);
      if (path.ok) expect(covers(scopes, { verb: "write", path: path.value })).toBe(path.value === "/jail" || path.value.startsWith("/jail/"));
    }
  });
});

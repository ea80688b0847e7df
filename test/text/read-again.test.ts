// text.read of what was read before: the bytes of the answer are the same whether it comes from memory or not, and never those of another
// version, user, part or path. Who may read is asked every time. The line model: read.test.ts.
import { beforeEach, describe, expect, it } from "vitest";
import { login, revoke } from "../harness/login";
import { eras, TextRoot } from "./text-root";

const content = "one 😀\ntwo\nthree\n";
// Kept when it was asked for the second time, so that the third answer is the first from memory.
const times = 5;

describe.each(eras)("a repeated read in %s", (era) => {
  let root: TextRoot;
  let hash: string;
  beforeEach(async () => {
    root = await TextRoot.signIn({ era });
    hash = await root.create("/a", content);
  });

  /** The answer as it came, but for the id of the request. */
  async function raw(args: object, reader = root): Promise<string> {
    const { status, text, body } = await reader.call("text.read", args);
    expect(status, text).toBe(200);
    return text.replace(`"id":${body.id}`, '"id":0');
  }

  async function warm(args: object = { path: "/a" }): Promise<string> {
    const answers: string[] = [];
    for (let time = 1; time <= times; time++) answers.push(await raw(args));
    expect(new Set(answers).size).toBe(1);
    return answers[0] ?? "";
  }

  it.each<[string, object]>([
    ["the whole", { path: "/a" }],
    ["a range", { path: "/a", lines: [2, 0] }],
    ["an empty range", { path: "/a", lines: [9, 0] }],
  ])("of %s gives the same bytes every time", async (_, args) => {
    await warm(args);
  });

  it("of a file that is cut gives the same bytes every time", async () => {
    await root.create("/long", "日本語の長い行\n".repeat(20_000));
    expect(await warm({ path: "/long" })).toContain('"truncated":true');
  });

  it("gives the same bytes as a first read of the same content, and the other era the same value", async () => {
    const warmed = await warm();
    await root.create("/b", content);
    expect(await raw({ path: "/b" })).toBe(warmed);
    for (const other of eras) {
      const reader = await TextRoot.withToken(root.url, root.user, root.token, other);
      for (let time = 1; time <= times; time++) {
        expect(await reader.read("/a")).toEqual({ content, hash, total_lines: 3 });
      }
      expect(await raw({ path: "/a" })).toBe(warmed);
    }
  });

  it("gives the same beside calls that ask for progress, whose answers are streams", async () => {
    const warmed = await warm();
    const asking = { name: "text.read", arguments: { path: "/a" }, _meta: { progressToken: "p" } };
    for (let time = 1; time <= times; time++) {
      const { status, body } = await root.request("tools/call", asking);
      expect(status).toBe(200);
      expect(body.result.structuredContent).toEqual({ content, hash, total_lines: 3 });
      expect(body.result.content).toEqual([{ type: "text", text: JSON.stringify(body.result.structuredContent) }]);
      expect(await raw({ path: "/a" })).toBe(warmed);
    }
  });

  it("sees every edit", async () => {
    let current = hash;
    let text = content;
    for (let edit = 1; edit <= 4; edit++) {
      await warm();
      await warm({ path: "/a", lines: [1, 2] });
      current = (await root.ok("text.append", { path: "/a", hash: current, content: `${edit}\n` })).hash;
      text += `${edit}\n`;
      const part = await root.read("/a", [1, 2]);
      expect(part).toEqual({ content: "one 😀\n", hash: current, total_lines: 3 + edit });
      expect(await root.read("/a")).toEqual({ content: text, hash: current, total_lines: 3 + edit });
    }
    // Back to a version that was read often.
    await root.ok("text.replace", { path: "/a", hash: current, lines: [4, 0], old: "1\n2\n3\n4\n", new: "" });
    expect(await root.read("/a")).toEqual({ content, hash, total_lines: 3 });
  });

  it("sees that the file is gone, and what comes in its place", async () => {
    await warm();
    await root.ok("file.remove", { path: "/a", hash });
    expect(await root.refused("text.read", { path: "/a" })).toMatchObject({ code: "NOT_FOUND" });
    const other = await root.create("/a", "other\n");
    expect(await root.read("/a")).toEqual({ content: "other\n", hash: other, total_lines: 1 });
    await root.ok("file.remove", { path: "/a", hash: other });
    await root.create("/a/below", "x");
    expect(await root.refused("text.read", { path: "/a" })).toMatchObject({ code: "INVALID_ARGUMENT" });
    const below = await root.read("/a/below");
    await root.ok("file.remove", { path: "/a/below", hash: below.hash });
    expect(await root.refused("text.read", { path: "/a/below" })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("tells a range from the whole and from another range", async () => {
    for (let time = 1; time <= times; time++) {
      expect((await root.read("/a")).content).toBe(content);
      expect((await root.read("/a", [1, 2])).content).toBe("one 😀\n");
      expect((await root.read("/a", [2, 0])).content).toBe("two\nthree\n");
      expect((await root.read("/a", [2, 3])).content).toBe("two\n");
    }
  });

  it("gives another user what that user has at the path", async () => {
    const other = await TextRoot.signIn({ era });
    await warm();
    expect(await other.refused("text.read", { path: "/a" })).toMatchObject({ code: "NOT_FOUND" });
    const theirs = await other.create("/a", "theirs\n");
    for (let time = 1; time <= times; time++) {
      expect(await other.read("/a")).toEqual({ content: "theirs\n", hash: theirs, total_lines: 1 });
      expect(await root.read("/a")).toEqual({ content, hash, total_lines: 3 });
    }
  });

  it("is 401 with a token that was revoked, while another token of the user reads on", async () => {
    const { accessToken, clientId } = await login(root.url, { user: root.user });
    const second = await TextRoot.withToken(root.url, root.user, accessToken, era);
    for (let time = 1; time <= times; time++) await second.read("/a");
    await warm();
    await revoke(root.url, { token: accessToken, clientId });
    expect((await second.call("text.read", { path: "/a" })).status).toBe(401);
    await warm();
    expect((await second.call("text.read", { path: "/a" })).status).toBe(401);
  });

  it("is 403 with a token whose scope does not cover the path", async () => {
    const narrow = await TextRoot.signIn({ era, user: root.user, scope: "read:/notes/" });
    await warm();
    expect(await narrow.forbidden("text.read", { path: "/a" })).toBe("read:/a");
    expect(await narrow.forbidden("text.read", { path: "/a", lines: [1, 2] })).toBe("read:/a");
  });
});

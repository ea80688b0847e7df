// What a watcher of list:// hears of another client's changes, in both eras: which directories, by which URIs, and when the list changed.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSession, type Session } from "../harness/raw-mcp";
import { TextRoot } from "../text/text-root";
import { Watcher } from "./watcher";

let writer: TextRoot;
let session: Session;
const open: Watcher[] = [];

beforeEach(async () => {
  writer = await TextRoot.signIn({ era: "2026-07-28" });
  session = await openSession(writer.url, writer.token);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

/** A watcher in either era. */
const eras = {
  async "resources/subscribe (2025)"(uris: string[]): Promise<Watcher> {
    const stream = await Watcher.ofSession(writer.url, session);
    for (const uri of uris) {
      expect((await session.request("resources/subscribe", { uri })).body.result).toEqual({});
    }
    open.push(stream);
    return stream;
  },
  async "subscriptions/listen (2026)"(uris: string[]): Promise<Watcher> {
    const filter = { resourcesListChanged: true, ...(uris.length > 0 && { resourceSubscriptions: uris }) };
    const stream = await Watcher.listen(writer.url, writer.token, filter);
    open.push(stream);
    return stream;
  },
};

describe.each(Object.entries(eras))("%s", (_era, watch) => {
  it("MCP-020 tells of a file that came, was edited and went, by every URI as it was given", async () => {
    const uris = ["list://notes", "list:///notes/", "list://n%6ftes", "list://work/../notes"];
    const stream = await watch(uris);
    const updates = uris.map((uri) => `updated ${uri}`).sort();
    // The directory need not exist when the watch begins.
    const hash = await writer.create("/notes/a.md", "a\n");
    expect((await stream.words(5)).sort()).toEqual(["list_changed", ...updates]);
    const { hash: edited } = await writer.ok("text.append", { path: "/notes/a.md", hash, content: "b\n" });
    expect((await stream.words(4)).sort()).toEqual(updates);
    await writer.ok("file.remove", { path: "/notes/a.md", hash: edited });
    expect((await stream.words(5)).sort()).toEqual(["list_changed", ...updates]);
    expect(stream.untaken()).toEqual([]);
  });

  it("MCP-020 tells of new directories to those who watch what they came into, and of nothing below or beside", async () => {
    const stream = await watch(["list://", "list://new", "list://new/deep", "list://new/deep/er", "list://beside"]);
    await writer.create("/new/deep/x", "");
    expect((await stream.words(4)).sort()).toEqual([
      "list_changed",
      "updated list://",
      "updated list://new",
      "updated list://new/deep",
    ]);
    await writer.create("/new/deep/y", "");
    expect((await stream.words(2)).sort()).toEqual(["list_changed", "updated list://new/deep"]);
    expect(stream.untaken()).toEqual([]);
  });

  it("says nothing of calls that changed nothing", async () => {
    const hash = await writer.create("/quiet/a", "a\n");
    const stream = await watch(["list://quiet"]);
    await writer.refused("file.create", { path: "/quiet/a", content: "x" });
    await writer.refused("text.append", { path: "/quiet/a", hash: "0".repeat(64), content: "x" });
    await writer.ok("text.append", { path: "/quiet/a", hash, content: "" });
    await writer.read("/quiet/a");
    await writer.create("/quiet/b", "");
    expect((await stream.words(2)).sort()).toEqual(["list_changed", "updated list://quiet"]);
    expect(stream.untaken()).toEqual([]);
  });

  it("tells of the change of a list also those who watch no directory", async () => {
    const stream = await watch([]);
    const hash = await writer.create("/any/where", "x\n");
    await writer.ok("text.append", { path: "/any/where", hash, content: "y\n" });
    await writer.create("/any/more", "");
    expect(await stream.words(2)).toEqual(["list_changed", "list_changed"]);
    expect(stream.untaken()).toEqual([]);
  });

  it("carries the changes of every client of the user, and its own as well", async () => {
    const stream = await watch(["list://all"]);
    const legacy = await TextRoot.withToken(writer.url, writer.user, writer.token, "2025-11-25");
    const other = await TextRoot.signIn({ user: writer.user });
    for (const [n, root] of [writer, legacy, other].entries()) {
      await root.create(`/all/${n}`, "");
      expect(await stream.words(2)).toContain("updated list://all");
    }
    const own = await session.request("tools/call", {
      name: "file.create",
      arguments: { path: "/all/own", content: "" },
    });
    expect(own.body.result.isError ?? false).toBe(false);
    expect(await stream.words(2)).toContain("updated list://all");
  });
});

describe("resources/subscribe", () => {
  it("ends with resources/unsubscribe, for that URI alone", async () => {
    const stream = await eras["resources/subscribe (2025)"](["list://a", "list:///a", "list://b"]);
    expect((await session.request("resources/unsubscribe", { uri: "list://a" })).body.result).toEqual({});
    await writer.create("/a/x", "");
    expect((await stream.words(2)).sort()).toEqual(["list_changed", "updated list:///a"]);
    await session.request("resources/unsubscribe", { uri: "list:///a" });
    await writer.create("/a/y", "");
    await writer.create("/b/x", "");
    expect((await stream.words(3)).sort()).toEqual(["list_changed", "list_changed", "updated list://b"]);
    expect(stream.untaken()).toEqual([]);
  });

  it("lasts while no stream is open, and comes once to a session with several", async () => {
    const first = await eras["resources/subscribe (2025)"](["list://a"]);
    first.close();
    const second = await Watcher.ofSession(writer.url, session);
    const third = await Watcher.ofSession(writer.url, session);
    open.push(second, third);
    await writer.create("/a/x", "");
    expect((await third.words(2)).sort()).toEqual(["list_changed", "updated list://a"]);
    await writer.create("/a/y", "");
    expect((await third.words(2)).sort()).toEqual(["list_changed", "updated list://a"]);
    expect([...second.untaken(), ...third.untaken()]).toEqual([]);
  });

  it("refuses what cannot be a list, as reading it would", async () => {
    for (const [uri, data] of [
      ["file:///a", { uri: "file:///a" }],
      ["list://../x", { uri: "list://../x", code: "INVALID_ARGUMENT" }],
      ["list://%zz", { uri: "list://%zz", code: "INVALID_ARGUMENT" }],
    ] as const) {
      const { body } = await session.request("resources/subscribe", { uri });
      expect(body.error).toMatchObject({ code: -32602, data });
    }
  });

  it("ends with the session, and so does its stream", async () => {
    const stream = await eras["resources/subscribe (2025)"](["list://a"]);
    expect((await fetch(`${writer.url}/mcp`, { method: "DELETE", headers: session.headers })).status).toBe(204);
    await stream.ended();
    await writer.create("/a/x", "");
    expect(stream.untaken()).toEqual([]);
  });
});

describe("subscriptions/listen", () => {
  it("carries only what was asked for", async () => {
    const lists = await Watcher.listen(writer.url, writer.token, { resourcesListChanged: true });
    const updates = await Watcher.listen(writer.url, writer.token, { resourceSubscriptions: ["list://a"] });
    open.push(lists, updates);
    await writer.create("/a/x", "");
    await writer.create("/b/x", "");
    await writer.create("/a/y", "");
    expect(await lists.words(3)).toEqual(["list_changed", "list_changed", "list_changed"]);
    expect(await updates.words(2)).toEqual(["updated list://a", "updated list://a"]);
    expect([...lists.untaken(), ...updates.untaken()]).toEqual([]);
  });
});

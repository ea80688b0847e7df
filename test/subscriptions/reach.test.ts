// Who hears what: nobody hears of another user's root, and no stream hears of what its token may not list.
import { afterEach, describe, expect, it } from "vitest";
import { freshUser, login, revoke } from "../harness/login";
import { bearer, modernRequest, openSession } from "../harness/raw-mcp";
import { TextRoot } from "../text/text-root";
import { Watcher } from "./watcher";

const open: Watcher[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const everything = { resourcesListChanged: true, resourceSubscriptions: ["list://", "list://notes", "list://work"] };

/** A 2025-era session that watches everything, and its stream. */
async function watch(root: TextRoot): Promise<Watcher> {
  const session = await openSession(root.url, root.token);
  for (const uri of everything.resourceSubscriptions) await session.request("resources/subscribe", { uri });
  const stream = await Watcher.ofSession(root.url, session);
  open.push(stream);
  return stream;
}

describe("another user", () => {
  it("AUTH-002 hears nothing of a change, in either era, while the owner does", async () => {
    const owner = await TextRoot.signIn();
    const stranger = await TextRoot.signIn();
    const mine = await watch(owner);
    const listening = await Watcher.listen(stranger.url, stranger.token, everything);
    open.push(listening);
    const theirs = [await watch(stranger), listening];
    const hash = await owner.create("/notes/secret.md", "x\n");
    await owner.ok("file.remove", { path: "/notes/secret.md", hash });
    expect(await mine.words(3)).toContain("updated list://notes");
    // The next thing that the stranger hears is the stranger's own.
    await stranger.create("/work/own.md", "");
    for (const stream of theirs) {
      expect((await stream.words(3)).sort()).toEqual(["list_changed", "updated list://", "updated list://work"]);
      expect(stream.untaken()).toEqual([]);
    }
  });

  it("AUTH-002 MCP-005 cannot open a stream on a session that is not its own", async () => {
    const owner = await TextRoot.signIn();
    const stranger = await TextRoot.signIn();
    const session = await openSession(owner.url, owner.token);
    const answer = await fetch(`${owner.url}/mcp`, {
      headers: { ...session.headers, ...bearer(stranger.token), accept: "text/event-stream" },
    });
    expect(answer.status).toBe(404);
    await answer.body?.cancel();
  });
});

describe("a narrower token", () => {
  it("AUTH-030 MCP-051 on the stream of a session hears only of what it may list, although the session watches more", async () => {
    const owner = await TextRoot.signIn();
    const { url, user } = owner;
    const wide = await login(url, { user });
    const session = await openSession(url, wide.accessToken);
    for (const uri of everything.resourceSubscriptions) await session.request("resources/subscribe", { uri });
    // The person consents anew, to less; the session is the client's and goes on.
    const narrow = await login(url, { user, clientId: wide.clientId, scope: "read:/notes/" });
    const headers = { ...session.headers, ...bearer(narrow.accessToken) };
    const stream = await Watcher.ofSession(url, { headers });
    open.push(stream);
    await owner.create("/work/hidden", "");
    await owner.create("/top", "");
    await owner.create("/notes/seen", "");
    expect((await stream.words(2)).sort()).toEqual(["list_changed", "updated list://notes"]);
    await owner.create("/notes/again", "");
    expect((await stream.words(2)).sort()).toEqual(["list_changed", "updated list://notes"]);
    expect(stream.untaken()).toEqual([]);
  });

  it("AUTH-030 MCP-051 hears of list changes only where it may list (2026)", async () => {
    const owner = await TextRoot.signIn();
    const { accessToken } = await login(owner.url, { user: owner.user, scope: "read:/notes/" });
    const stream = await Watcher.listen(owner.url, accessToken, {
      resourcesListChanged: true,
      resourceSubscriptions: ["list://notes/sub"],
    });
    open.push(stream);
    await owner.create("/work/hidden", "");
    await owner.create("/top", "");
    await owner.create("/notes/sub/seen", "");
    expect((await stream.words(2)).sort()).toEqual(["list_changed", "updated list://notes/sub"]);
    await owner.create("/notes/beside", "");
    expect(await stream.words(1)).toEqual(["list_changed"]);
    expect(stream.untaken()).toEqual([]);
  });

  it.each([
    ["list://", "read:/"],
    ["list://work", "read:/work/"],
    ["list://notes/../work", "read:/work/"],
  ])("MCP-026 MCP-051 AUTH-040 may not watch %s: 403, and the scope that it lacks", async (uri, scope) => {
    const { url, token } = await TextRoot.signIn({ scope: "read:/notes/" });
    const session = await openSession(url, token);
    const subscribed = await session.request("resources/subscribe", { uri });
    expect(subscribed.status).toBe(403);
    expect(subscribed.headers.get("www-authenticate")).toContain(`error="insufficient_scope", scope="${scope}"`);
    const listened = await modernRequest(url, token, "subscriptions/listen", {
      notifications: { resourceSubscriptions: ["list://notes", uri] },
    });
    expect(listened.status).toBe(403);
    expect(listened.headers.get("www-authenticate")).toContain(`error="insufficient_scope", scope="${scope}"`);
  });

  it("AUTH-001 a revoked token's streams end at once", async () => {
    const { url } = await TextRoot.signIn();
    const user = freshUser("revoked");
    const { accessToken, refreshToken, clientId } = await login(url, { user });
    const session = await openSession(url, accessToken);
    const streams = [
      await Watcher.ofSession(url, session),
      await Watcher.listen(url, accessToken, { resourcesListChanged: true }),
    ];
    open.push(...streams);
    await revoke(url, { token: refreshToken, clientId });
    for (const stream of streams) await stream.ended();
  });
});

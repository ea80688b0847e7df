// The standalone event streams of a 2025-era session (GET): how they open, stay, make room for newer ones and end.
// What is sent on them is tested with the subscriptions.
import { describe, expect, inject, it } from "vitest";
import { counts } from "../counts";
import { EventStream } from "../harness/event-stream";
import { freshUser, login } from "../harness/login";
import { openSession, rpc, type Session } from "../harness/raw-mcp";

const url = inject("url");
const streamsMax = 4;

/** Each test has a user of its own: streams hear of every change of their user's root. */
async function freshToken(): Promise<string> {
  return (await login(url, { user: freshUser("streams") })).accessToken;
}

function open(session: Session): Promise<EventStream> {
  return EventStream.get(url, session.headers);
}

async function openMany(session: Session, count: number): Promise<EventStream[]> {
  const streams: EventStream[] = [];
  for (let index = 0; index < count; index += 1) streams.push(await open(session));
  return streams;
}

/** Makes a directory of this name, which a session that watches the root is told of. */
async function change(session: Session, name: string): Promise<void> {
  const { body } = await session.send(
    rpc("tools/call", { name: "file.create", arguments: { path: `/${name}/a`, content: "" } }),
  );
  expect(body.result.isError ?? false, JSON.stringify(body)).toBe(false);
}

describe.concurrent("an event stream", () => {
  it("opens at once with a comment, as text/event-stream that nobody may store", async () => {
    const stream = await open(await openSession(url, await freshToken()));
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.response.headers.get("cache-control")).toBe("no-cache, no-transform");
    await stream.until(/^: open\n\n/);
    stream.close();
  });

  it("is kept alive by comments", async () => {
    const stream = await open(await openSession(url, await freshToken()));
    await stream.until(/^(: open\n\n)(: keep-alive\n\n)+$/);
    stream.close();
  });

  it("makes room: the fifth ends the oldest, and the four newest stay", async () => {
    const session = await openSession(url, await freshToken());
    const streams = await openMany(session, streamsMax);
    const fifth = await open(session);
    await streams[0]?.ended;
    const sixth = await open(session);
    await streams[1]?.ended;
    expect([...streams, fifth, sixth].map(({ isEnded }) => isEnded)).toEqual([true, true, false, false, false, false]);
    await session.request("resources/subscribe", { uri: "list://" });
    await change(session, "newest");
    await sixth.until(/notifications\/resources\/updated/);
    for (const stream of [...streams, fifth, sixth]) stream.close();
  });

  it("makes room also where many are opened at the same moment", async () => {
    const session = await openSession(url, await freshToken());
    const streams = await Promise.all(Array.from({ length: 3 * streamsMax }, () => open(session)));
    await expect.poll(() => streams.filter(({ isEnded }) => !isEnded).length, { timeout: 20_000 }).toBe(streamsMax);
    const next = await open(session);
    await expect.poll(() => streams.filter(({ isEnded }) => !isEnded).length, { timeout: 20_000 }).toBe(streamsMax - 1);
    expect(next.isEnded).toBe(false);
    for (const stream of [...streams, next]) stream.close();
  });

  it("counts for its own session alone", async () => {
    const token = await freshToken();
    const [first, second] = [await openSession(url, token), await openSession(url, token)];
    const streams = [...(await openMany(first, streamsMax)), ...(await openMany(second, streamsMax))];
    const extra = await open(second);
    await streams[streamsMax]?.ended;
    expect(streams.slice(0, streamsMax).map(({ isEnded }) => isEnded)).toEqual([false, false, false, false]);
    for (const stream of [...streams, extra]) stream.close();
  });

  it.each(counts.deep ? [3] : [])(
    "gives its place back when its client has gone, within %i keep-alives",
    async (keepAlives) => {
      const session = await openSession(url, await freshToken());
      const [oldest, ...gone] = await openMany(session, streamsMax);
      for (const stream of gone) stream.close();
      await oldest?.until(new RegExp(`(: keep-alive\\s+){${keepAlives}}`));
      const next = await openMany(session, streamsMax - 1);
      await session.request("ping");
      expect(oldest?.isEnded).toBe(false);
      for (const stream of [oldest, ...next]) stream?.close();
    },
    120_000,
  );

  it("ends with its session, all of them at once", async () => {
    const token = await freshToken();
    const session = await openSession(url, token);
    const streams = await openMany(session, streamsMax);
    const other = await open(await openSession(url, token));
    const deleted = await fetch(`${url}/mcp`, { method: "DELETE", headers: session.headers });
    expect(deleted.status).toBe(204);
    await Promise.all(streams.map(({ ended }) => ended));
    expect(other.isEnded).toBe(false);
    other.close();
  });
});

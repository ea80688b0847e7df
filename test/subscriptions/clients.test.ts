// Real clients of both eras watch a directory and are told of another client's change.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { bearer } from "../harness/raw-mcp";
import { TextRoot } from "../text/text-root";

const wanted = ["list_changed", "updated list://notes/"];
const patience = { timeout: 30_000 };

it("MCP-020 the v1 SDK client is told through resources/subscribe", async () => {
  const writer = await TextRoot.signIn();
  const heard: string[] = [];
  const client = new ClientV1({ name: "watch-v1", version: "1" });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(`updated ${params.uri}`);
  });
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    heard.push("list_changed");
  });
  const transport = new TransportV1(new URL("/mcp", writer.url), { requestInit: { headers: bearer(writer.token) } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  await client.subscribeResource({ uri: "list://notes/" });
  // The client opens its stream behind the back of connect(), so the first changes may come before it.
  await expect
    .poll(
      async () => {
        await writer.create(`/notes/${crypto.randomUUID()}`, "");
        return [...new Set(heard)].sort();
      },
      { ...patience, interval: 200 },
    )
    .toEqual(wanted);
  await client.unsubscribeResource({ uri: "list://notes/" });
  await client.close();
});

it("MCP-020 the v2 client is told through subscriptions/listen, until it closes the subscription", async () => {
  const writer = await TextRoot.signIn();
  const heard: string[] = [];
  const client = new ClientV2({ name: "watch-v2", version: "1" }, { versionNegotiation: { mode: "auto" } });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.push(`updated ${params.uri}`);
  });
  client.setNotificationHandler("notifications/resources/list_changed", () => {
    heard.push("list_changed");
  });
  await client.connect(
    new TransportV2(new URL("/mcp", writer.url), { requestInit: { headers: bearer(writer.token) } }),
  );
  const filter = { resourcesListChanged: true, resourceSubscriptions: ["list://notes/"] };
  const subscription = await client.listen(filter);
  expect(subscription.honoredFilter).toEqual(filter);
  await writer.create("/notes/a", "");
  await expect.poll(() => [...heard].sort(), patience).toEqual(wanted);
  await subscription.close();
  expect(await subscription.closed).toBe("local");
  await client.close();
});

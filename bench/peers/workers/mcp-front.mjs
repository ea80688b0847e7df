// MCP in front of a peer's Durable Object, as the SDK's own guide for Workers has it: a server and a transport for each
// request, tools registered by schema. No token is asked for, which is in the peer's favour.
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { z } from "zod";

const schemas = {
  read: z.object({ path: z.string() }),
  edit: z.object({ path: z.string(), old: z.string(), new: z.string() }),
  grep: z.object({ query: z.string() }),
};

/** `/mcp` speaks MCP; `/call` takes `{operation, args}` as plain JSON. The object is chosen by the header `user`. */
export function peerWorker() {
  return {
    async fetch(request, env) {
      const stub = env.OBJECT.get(env.OBJECT.idFromName(request.headers.get("user") ?? "one"));
      if (new URL(request.url).pathname === "/mcp") return serveMcp(request, stub);
      const { operation, args } = await request.json();
      return Response.json((await stub[operation](args)) ?? null);
    },
  };
}

async function serveMcp(request, stub) {
  const server = new McpServer({ name: "peer", version: "1" });
  for (const [name, inputSchema] of Object.entries(schemas)) {
    server.registerTool(name, { description: name, inputSchema }, async (args) => {
      const value = await stub[name](args);
      return { content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }] };
    });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  return transport.handleRequest(request);
}

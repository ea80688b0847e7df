import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { prefersUnderscore } from "../domain/tool-names";
import type { CallContext } from "./call-context";
import type { Catalog } from "./catalog";
import { guarded } from "./fault";
import type { PreparedCalls } from "./gate";
import { ParamsCheckingServer } from "./params-server";
import { runCall } from "./run-call";

/** Lists never differ between callers of one URL, and change only with a new release. */
const listCache = { ttlMs: 5 * 60 * 1000, cacheScope: "private" } as const;
const noCache = { ttlMs: 0, cacheScope: "private" } as const;

/**
 * A new server object for one HTTP request: sharing one between clients would mix their answers. It learns to serve what
 * the messages of this request ask for and no more, because to register a handler costs as much as to run it.
 */
export function buildServer(
  catalog: Catalog,
  context: CallContext,
  prepared: PreparedCalls,
  messages: readonly unknown[],
): Server {
  const server = new ParamsCheckingServer(
    { name: catalog.name, title: catalog.title, version: catalog.version },
    {
      instructions: catalog.instructions,
      capabilities: {
        tools: { listChanged: false },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
        ...(catalog.prompts !== undefined && { prompts: {} }),
      },
      cacheHints: {
        "tools/list": listCache,
        "prompts/list": listCache,
        "resources/list": listCache,
        "resources/templates/list": listCache,
        "resources/read": noCache,
        "server/discover": listCache,
      },
      ...(catalog.requestState !== undefined && { requestState: catalog.requestState }),
    },
  );
  const areas = new Set(messages.map(areaOf));
  if (areas.has("tools")) serveTools(server, catalog, context, prepared);
  if (areas.has("resources") || areas.has("completion")) serveResources(server, catalog, context);
  const { prompts } = catalog;
  if (prompts !== undefined && areas.has("prompts")) {
    server.setRequestHandler("prompts/list", () => prompts.list);
    server.setRequestHandler(
      "prompts/get",
      guarded(({ params }, ctx) => prompts.get(params.name, params.arguments ?? {}, ctx)),
    );
  }
  if (areas.has("logging")) {
    server.setRequestHandler(
      "logging/setLevel",
      guarded(async ({ params }) => {
        await context.ask((root, caller) => root.setLogLevel(caller, params.level));
        return {};
      }),
    );
  }
  return server;
}

/** What stands before the slash of a method, such as `tools`. */
function areaOf(message: unknown): string {
  const { method } = (message ?? {}) as { method?: unknown };
  return typeof method === "string" ? method.slice(0, method.indexOf("/")) : "";
}

function serveTools(server: Server, catalog: Catalog, context: CallContext, prepared: PreparedCalls): void {
  server.setRequestHandler("tools/list", ({ params }) => {
    // The list comes whole, so none was ever given out.
    if (params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor: the list of tools comes in one piece.");
    }
    const form = context.nameForm ?? (prefersUnderscore(server.getClientVersion()?.name) ? "underscore" : "dotted");
    return { tools: [...catalog.tools.list(form, context.families)] };
  });
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const call = prepared.get(ctx.mcpReq.id);
    if (call === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${params.name}. Call tools/list to see the tools of this server.`,
      );
    }
    return (await runCall(call, { id: ctx.mcpReq.id, name: params.name }, context, ctx)) as never;
  });
}

function serveResources(server: Server, catalog: Catalog, context: CallContext): void {
  const { resources } = catalog;
  server.setRequestHandler("resources/list", () => resources.list);
  server.setRequestHandler("resources/templates/list", () => resources.templates);
  server.setRequestHandler(
    "resources/read",
    guarded(({ params }) => resources.read(params.uri, context)),
  );
  server.setRequestHandler(
    "completion/complete",
    guarded(({ params }) =>
      resources.complete({ ref: params.ref, name: params.argument.name, value: params.argument.value }, context),
    ),
  );
  server.setRequestHandler(
    "resources/subscribe",
    guarded(async ({ params }) => {
      const path = resources.watch(params.uri);
      const taken = await context.ask((root, caller) => root.subscribe(caller, params.uri, path));
      if (!taken) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          "This session holds as many subscriptions as it may. Unsubscribe from some first.",
        );
      }
      return {};
    }),
  );
  server.setRequestHandler(
    "resources/unsubscribe",
    guarded(async ({ params }) => {
      await context.ask((root, caller) => root.unsubscribe(caller, params.uri));
      return {};
    }),
  );
}

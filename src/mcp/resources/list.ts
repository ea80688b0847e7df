import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { listMaxEntries } from "../../domain/limits";
import { normalizePath, type RootPath } from "../../domain/path";
import { coversListing } from "../../domain/scopes";
import type { Listing } from "../../root/contract";
import type { CallContext } from "../call-context";
import type { CompletionArgument, ResourceCatalog } from "../catalog";
import { parseListUri } from "./list-uri";

const template = "list://{+path}";
/** What the protocol allows in one completion. */
const completionsMax = 100;

/** MCP-020, MCP-021: directories as resources. */
export const listResources: ResourceCatalog = {
  list: {
    resources: [
      {
        uri: "list://",
        name: "root",
        title: "Root directory",
        description: "The immediate children of the root directory.",
        mimeType: "application/json",
      },
    ],
  },
  templates: {
    resourceTemplates: [
      {
        uriTemplate: template,
        name: "directory",
        title: "Directory",
        description: "The immediate children of a directory: directories first, then files.",
        mimeType: "application/json",
      },
    ],
  },

  needs(uri) {
    const path = parseListUri(uri);
    return path.ok ? [{ verb: "read", path: path.value, listing: true }] : [];
  },

  watch: directoryOf,

  async read(uri, context) {
    const path = directoryOf(uri);
    const listing = await listDirectory(context, path);
    if (listing.kind === "absent") throw notFound(uri);
    if (listing.kind === "file") throw invalid(uri, `${path} is a file; read it with text.read.`);
    const { entries, total } = listing;
    const text = JSON.stringify({ path, entries, total, truncated: entries.length < total });
    return { contents: [{ uri, mimeType: "application/json", text }] };
  },

  async complete(argument, context) {
    const values = isPathOfTemplate(argument) ? await completePath(argument.value, context) : [];
    return {
      completion: {
        values: values.slice(0, completionsMax),
        total: values.length,
        hasMore: values.length > completionsMax,
      },
    };
  },
};

function directoryOf(uri: string): RootPath {
  const path = parseListUri(uri);
  if (path.ok) return path.value;
  throw path.error.kind === "other_scheme" ? notFound(uri) : invalid(uri, path.error.message);
}

function isPathOfTemplate({ ref, name }: CompletionArgument): boolean {
  return ref.type === "ref/resource" && ref.uri === template && name === "path";
}

/** Directories whose path begins with what was typed; none where the token may not list. */
async function completePath(typed: string, context: CallContext): Promise<string[]> {
  const cut = typed.lastIndexOf("/") + 1;
  const directory = normalizePath(typed.slice(0, cut) || "/");
  if (!directory.ok || !coversListing(context.principal.scopes, directory.value)) return [];
  const listing = await listDirectory(context, directory.value);
  if (listing.kind !== "directory") return [];
  const prefix = typed.slice(cut);
  return listing.entries
    .filter(({ type, name }) => type === "directory" && name.startsWith(prefix))
    .map(({ name }) => `${typed.slice(0, cut)}${name}/`);
}

function listDirectory(context: CallContext, path: RootPath): Promise<Listing> {
  return context.ask((root, caller) => root.list(caller, path, listMaxEntries, 0));
}

function notFound(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource not found: ${uri}`, { uri });
}

function invalid(uri: string, message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { uri, code: "INVALID_ARGUMENT" });
}

import type {
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  ServerContext,
  ServerOptions,
} from "@modelcontextprotocol/server";
import type { RootPath } from "../domain/path";
import type { ScopeNeed } from "../domain/scopes";
import type { CallContext } from "./call-context";
import type { Registry } from "./registry";

/** Everything that a server object offers. One for the product; conformance tests bring their own. */
export interface Catalog {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: Registry;
  readonly resources: ResourceCatalog;
  readonly prompts?: PromptCatalog;
  /** Verification of `requestState` for tools that ask for input (2026 era). */
  readonly requestState?: ServerOptions["requestState"];
}

export interface ResourceCatalog {
  readonly list: ListResourcesResult;
  readonly templates: ListResourceTemplatesResult;
  /** What reading, completing or watching this URI needs; none for a URI that is not ours or cannot be read. */
  needs(uri: string): readonly ScopeNeed[];
  /** The directory whose changes a subscription to this URI is told of, `""` for none; throws what the client is told of a wrong URI. */
  watch(uri: string): RootPath | "";
  read(uri: string, context: CallContext): Promise<ReadResourceResult>;
  complete(argument: CompletionArgument, context: CallContext): Promise<CompleteResult>;
}

export interface CompletionArgument {
  readonly ref: { readonly type: string; readonly uri?: string; readonly name?: string };
  readonly name: string;
  readonly value: string;
}

export interface PromptCatalog {
  readonly list: ListPromptsResult;
  get(
    name: string,
    input: Record<string, string>,
    server: ServerContext,
  ): Promise<GetPromptResult | InputRequiredResult>;
}

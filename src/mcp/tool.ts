import type { CallToolResult, ServerContext, Tool as ToolListing } from "@modelcontextprotocol/server";
import { z } from "zod";
import { quoteMaxCodePoints, responseMaxBytes } from "../domain/limits";
import { cutCodePoints } from "../domain/quote";
import type { Result } from "../domain/result";
import type { ScopeNeed } from "../domain/scopes";
import { quickParser } from "./argument";
import type { CallContext } from "./call-context";
import { errorResult, errorSchema, successResult } from "./envelope";

export const families = ["text", "snapshot", "zip", "context"] as const;
export type Family = (typeof families)[number];

/** An expected failure of a tool. The codes of each family stand in its spec. */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly details?: Record<string, unknown>;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

/** What one file under tools/ declares. */
export interface ToolDefinition<Arguments, Output extends Record<string, unknown>> {
  readonly name: string;
  /** null: belongs to every family. */
  readonly family: Family | null;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodType<Arguments>;
  readonly output: z.ZodType<Output>;
  /** Arguments that are taken for the values named and then ignored: what other servers of this family want, and this one does not. */
  readonly ignored?: Readonly<Record<string, { readonly values: readonly unknown[]; readonly wanted: string }>>;
  /** What the call will need and do, from its arguments alone: the scopes are checked in between. */
  readonly plan: (input: Arguments) => Result<Plan<Output>, ToolError>;
}

export interface Plan<Output> {
  /** The paths that the call reads and writes. */
  readonly needs: readonly ScopeNeed[];
  /** `server`: for notices of progress; null where the client asked for none. */
  run(context: CallContext, server: ServerContext | null): Promise<Result<Output, ToolError>>;
}

/** What the registry keeps: the tool as listed, and how a call goes from raw arguments to a result. */
export interface RegisteredTool {
  readonly name: string;
  readonly family: Family | null;
  readonly listing: ToolListing;
  /** Checks arguments and says what they need; the call itself comes after the scopes were checked. */
  readonly prepare: (raw: unknown) => Result<PreparedCall, CallToolResult>;
  /** It may notify or ask the client before its result though nobody asked for progress, so it always needs a server object. */
  readonly speaksBefore?: boolean;
}

export interface PreparedCall {
  readonly needs: readonly ScopeNeed[];
  readonly run: (context: CallContext, server: ServerContext | null) => Promise<unknown>;
}

/** Codes that every tool of a family may answer with. */
interface FamilyCodes {
  readonly argument: string;
  readonly tooLarge: string;
}

const codes: Record<Family, FamilyCodes> = {
  text: { argument: "INVALID_ARGUMENT", tooLarge: "TOO_LARGE" },
  snapshot: { argument: "INVALID_ARGUMENT", tooLarge: "TOO_LARGE" },
  zip: { argument: "INVALID_PARAMS", tooLarge: "LIMIT_EXCEEDED" },
  context: { argument: "invalid_query", tooLarge: "invalid_budget" },
};

export function defineTool<Arguments, Output extends Record<string, unknown>>(
  tool: ToolDefinition<Arguments, Output>,
): RegisteredTool {
  const parseQuickly = quickParser(tool.input);
  const known = Object.keys((z.toJSONSchema(tool.input, { io: "input" }).properties as object | undefined) ?? {});
  return {
    name: tool.name,
    family: tool.family,
    listing: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      annotations: { title: tool.title, ...tool.annotations, openWorldHint: false },
      inputSchema: { ...schemaOf(tool.input, "input"), type: "object" },
      outputSchema: { type: "object", oneOf: [...branchesOf(tool.output), schemaOf(errorSchema, "output")] },
    },
    prepare(given) {
      const refused = wrongIgnored(tool, given);
      if (refused !== null) return { ok: false, error: errorResult(refused) };
      const raw = withoutIgnored(tool, given);
      const quick = parseQuickly(raw);
      const parsed = quick === null ? tool.input.safeParse(raw ?? {}) : { success: true as const, data: quick };
      if (!parsed.success) {
        return { ok: false, error: errorResult(argumentError(tool.family, parsed.error, raw, known)) };
      }
      const plan = tool.plan(parsed.data);
      if (!plan.ok) return { ok: false, error: errorResult(plan.error) };
      return {
        ok: true,
        value: {
          needs: plan.value.needs,
          async run(context, server) {
            const result = await plan.value.run(context, server);
            if (!result.ok) return errorResult(result.error);
            const answer = successResult(result.value);
            return answer.ok ? answer.value : errorResult(answerTooLarge(tool.family, answer.error));
          },
        },
      };
    },
  };
}

/** The branches of a union stand side by side with the error branch. */
function branchesOf(type: z.ZodType): Record<string, unknown>[] {
  const schema = schemaOf(type, "output");
  return Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
}

type Ignoring = Pick<ToolDefinition<never, never>, "family" | "ignored">;

function wrongIgnored({ family, ignored = {} }: Ignoring, raw: unknown): ToolError | null {
  if (raw === null || typeof raw !== "object") return null;
  for (const [argument, { values, wanted }] of Object.entries(ignored)) {
    const value = (raw as Record<string, unknown>)[argument];
    if (value === undefined || values.includes(value)) continue;
    const message = `${argument}: ${JSON.stringify(value).slice(0, 120)} was given; ${wanted}.`;
    return { code: codesOf(family).argument, message, details: { argument } };
  }
  return null;
}

function withoutIgnored({ ignored }: Ignoring, raw: unknown): unknown {
  if (ignored === undefined || raw === null || typeof raw !== "object" || Array.isArray(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([argument]) => !(argument in ignored)));
}

function schemaOf(type: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, override: keepDefault });
  return schema;
}

/** The library leaves out the default of an argument that it transforms, as if it were one of the result; ours are of what is sent. */
function keepDefault({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const declared = z.globalRegistry.get(zodSchema)?.default;
  if (declared !== undefined) jsonSchema.default = declared as z.core.JSONSchema.BaseSchema["default"];
}

function codesOf(family: Family | null): FamilyCodes {
  return codes[family ?? "text"];
}

function answerTooLarge(family: Family | null, bytes: number): ToolError {
  // zipfs.md §2.5 has a template for everything that exceeds a limit.
  const what =
    family === "zip"
      ? `Limit exceeded: size of the answer in bytes of JSON (${bytes}) exceeds ${responseMaxBytes}.`
      : `The answer would have ${bytes} bytes of JSON; the limit is ${responseMaxBytes}.`;
  const advice =
    "Ask for less at once, such as fewer lines or a smaller part; a whole file comes with file.download_url, or with GET of /files/<path>.";
  return {
    code: codesOf(family).tooLarge,
    message: `${what} ${advice}`,
    details: { size: bytes, max: responseMaxBytes },
  };
}

function argumentError(family: Family | null, error: z.ZodError, raw: unknown, known: readonly string[]): ToolError {
  const issue = error.issues[0];
  const code = codesOf(family).argument;
  if (issue === undefined) return { code, message: "arguments: not understood; see the tool's input schema." };
  if (issue.code === "unrecognized_keys") {
    const argument = cutCodePoints(issue.keys[0] ?? "", quoteMaxCodePoints);
    const offered = known.length === 0 ? "this tool takes none" : `known are ${known.join(", ")}`;
    return { code, message: `${argument}: no such argument; ${offered}.`, details: { argument } };
  }
  const argument = issue.path.length === 0 ? "arguments" : String(issue.path[0]);
  if (issue.code === "custom" && issue.params?.ownMessage === true) {
    return { code, message: issue.message, details: { argument } };
  }
  const given = issue.path.reduce<unknown>(
    (value, key) =>
      value !== null && typeof value === "object" ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    raw,
  );
  const shown = given === undefined ? "nothing" : cutCodePoints(JSON.stringify(given) ?? "nothing", quoteMaxCodePoints);
  return { code, message: `${argument}: ${shown} was given; ${issue.message}.`, details: { argument } };
}

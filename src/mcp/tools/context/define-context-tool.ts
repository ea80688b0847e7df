import { type CallToolResult, ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type ContextError, type ContextErrorCode, contextMessages, errorBody } from "../../../domain/context/errors";
import { responseMaxBytes } from "../../../domain/limits";
import type { Result } from "../../../domain/result";
import type { ScopeNeed } from "../../../domain/scopes";
import { type CallContext, ForbiddenByLookup, RefusedByRoot } from "../../call-context";
import { textResult } from "../../envelope";
import { logFault } from "../../fault";
import type { RegisteredTool, ToolAnnotations } from "../../tool";

/** Arguments as they came; nothing about them is left to a schema (context.md §2). */
export type RawArguments = Readonly<Record<string, unknown>>;

/** The exact text block. `meta` is for people and models, beside it. */
export interface ContextAnswer {
  readonly text: string;
  readonly meta?: Record<string, unknown>;
}

interface ContextToolDefinition {
  readonly name: `context.${string}`;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** What clients are told; the calls themselves are checked by hand. */
  readonly input: Record<string, unknown>;
  readonly output: z.ZodType;
  /** The code of an answer that would be too large, where no budget can make it smaller. */
  readonly tooLarge?: ContextErrorCode;
  /** Beyond the seed: errors say more than code and message. */
  readonly hasDetails?: true;
  /** Of any arguments: scopes come first, and whatever is wrong with the rest is told after them. */
  readonly plan: (raw: RawArguments) => ContextPlan;
}

export interface ContextPlan {
  readonly needs: readonly ScopeNeed[];
  run(context: CallContext, server: ServerContext | null): Promise<Result<ContextAnswer, ContextError>>;
}

/** This family has an envelope of its own: exact text, canonical errors, and no argument error before the tool runs. */
export function defineContextTool(tool: ContextToolDefinition): RegisteredTool {
  return {
    name: tool.name,
    family: "context",
    listing: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      annotations: { title: tool.title, ...tool.annotations, openWorldHint: false },
      inputSchema: { type: "object", ...tool.input },
      outputSchema: {
        type: "object",
        oneOf: [schemaOf(tool.output), schemaOf(tool.hasDetails ? detailedErrorSchema : errorSchema)],
      },
    },
    prepare(given) {
      const isRecord = given !== null && typeof given === "object" && !Array.isArray(given);
      const { needs, run } = tool.plan(isRecord ? (given as RawArguments) : {});
      return {
        ok: true,
        value: {
          needs,
          async run(context, server) {
            try {
              const answer = await run(context, server);
              return answer.ok ? successOf(answer.value, tool) : errorOf(answer.error);
            } catch (cause) {
              if (cause instanceof RefusedByRoot || cause instanceof ForbiddenByLookup) throw cause;
              if (cause instanceof ProtocolError) throw cause;
              return internalErrorOf(cause, tool);
            }
          },
        },
      };
    },
  };
}

const codeSchema = z.enum(Object.keys(contextMessages) as [ContextErrorCode, ...ContextErrorCode[]]);
const errorSchema = z.strictObject({ error: z.strictObject({ code: codeSchema, message: z.string() }) });
const detailedErrorSchema = z.strictObject({
  error: z.strictObject({
    code: codeSchema,
    message: z.string(),
    details: z.looseObject({ reason: z.string(), message: z.string() }).optional(),
  }),
});

function schemaOf(type: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: "output" });
  return schema;
}

function successOf({ text, meta }: ContextAnswer, { tooLarge: code = "invalid_budget" }: ContextToolDefinition) {
  const result = textResult(text, JSON.parse(text) as Record<string, unknown>);
  if (result.ok) return { ...result.value, ...(meta !== undefined && { _meta: meta }) };
  const hint = `The answer would have ${result.error} bytes of JSON; the limit is ${responseMaxBytes}.`;
  return errorOf({ code, hint: code === "invalid_budget" ? `${hint} Ask with a smaller budget.` : hint });
}

function errorOf(error: ContextError, meta: Record<string, unknown> = {}): CallToolResult {
  const value = errorBody(error);
  const hints = { ...(error.hint !== undefined && { "holdfast/hint": error.hint }), ...meta };
  return {
    content: [{ type: "text", text: `${JSON.stringify(value)}\n` }],
    structuredContent: value,
    isError: true,
    ...(Object.keys(hints).length > 0 && { _meta: hints }),
  };
}

/** The body stays canonical; what leads to the log stands beside it. */
function internalErrorOf(cause: unknown, { name, hasDetails }: ContextToolDefinition): CallToolResult {
  const id = logFault(cause, { tool: name });
  const message = `Internal error ${id}. Nothing was changed. Try again.`;
  const details = hasDetails === true ? { details: { reason: "internal" as const, message } } : {};
  return errorOf({ code: "internal_error", ...details }, { "holdfast/error_id": id });
}

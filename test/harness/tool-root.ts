// One signed-in user and the tools of the server, in either era. Every answer is held against what all answers must be:
// HTTP 200, one text block that is the JSON of structuredContent, valid by the output schema that tools/list shows.
import type { ValidateFunction } from "ajv/dist/2020.js";
import { expect, inject } from "vitest";
import { freshUser, login } from "./login";
import { outputValidators } from "./output-schemas";
import { type Answer, modernRequest, openSession } from "./raw-mcp";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly inputSchema: {
    readonly type: string;
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
  };
  readonly outputSchema: { readonly type: string; readonly oneOf: readonly object[] };
}

export interface SignInOptions {
  readonly era?: Era;
  readonly url?: string;
  readonly user?: string;
  readonly scope?: string;
}

type Request = (method: string, params?: object) => Promise<Answer>;

/** What the server knows of one user through one token. */
export interface Connection {
  readonly url: string;
  readonly user: string;
  readonly era: Era;
  readonly token: string;
  /** Bare JSON-RPC, for methods other than tools/call and for answers that are no tool result. */
  readonly request: Request;
  readonly validators: ReadonlyMap<string, ValidateFunction>;
}

export async function signIn(options: SignInOptions = {}): Promise<Connection> {
  const { era = "2025-11-25", url = inject("url"), user = freshUser("user"), scope } = options;
  const { accessToken } = await login(url, { user, ...(scope !== undefined && { scope }) });
  return connect(url, user, accessToken, era);
}

export async function connect(url: string, user: string, token: string, era: Era): Promise<Connection> {
  const request: Request =
    era === "2026-07-28"
      ? (method, params) => modernRequest(url, token, method, params)
      : (await openSession(url, token)).request;
  const listed = await request("tools/list", {});
  const validators = outputValidators(listed.body.result.tools as ListedTool[]);
  return { url, user, era, token, request, validators };
}

/** `Outputs` maps the names of tools to what they answer. */
export class ToolRoot<Outputs> {
  readonly url: string;
  readonly user: string;
  readonly era: Era;
  readonly token: string;
  readonly request: Request;
  private readonly validators: ReadonlyMap<string, ValidateFunction>;

  constructor({ url, user, era, token, request, validators }: Connection) {
    this.url = url;
    this.user = user;
    this.era = era;
    this.token = token;
    this.request = request;
    this.validators = validators;
  }

  /** tools/call as sent, whatever comes of it. */
  call(tool: string, args: unknown): Promise<Answer> {
    return this.request("tools/call", { name: tool, arguments: args });
  }

  async result(
    tool: keyof Outputs & string,
    args: object,
  ): Promise<{ isError: boolean; value: Record<string, unknown>; text: string }> {
    const { status, text, body } = await this.call(tool, args);
    expect(status, text).toBe(200);
    expect(body.error, text.slice(0, 1000)).toBeUndefined();
    const { content, structuredContent: value, isError = false } = body.result;
    expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
    expect(content[0].text === JSON.stringify(value), "the text block is the JSON of structuredContent").toBe(true);
    const validate = this.validators.get(tool);
    expect(validate?.(value), JSON.stringify(validate?.errors)).toBe(true);
    expect("error" in value).toBe(isError);
    return { isError, value, text: content[0].text };
  }

  async ok<Tool extends keyof Outputs & string>(tool: Tool, args: object): Promise<Outputs[Tool]> {
    const { isError, value } = await this.result(tool, args);
    expect(isError, JSON.stringify(value).slice(0, 1000)).toBe(false);
    return value as unknown as Outputs[Tool];
  }

  async refused(tool: keyof Outputs & string, args: object): Promise<Refusal> {
    const { isError, value } = await this.result(tool, args);
    expect(isError, `${tool} succeeded: ${JSON.stringify(value).slice(0, 1000)}`).toBe(true);
    return value.error as Refusal;
  }

  /** A refusal by scope: HTTP 403, never a tool result. Gives the scope that is asked for. */
  async forbidden(tool: keyof Outputs & string, args: object): Promise<string> {
    const { status, headers, text } = await this.call(tool, args);
    expect(status, text).toBe(403);
    return /scope="([^"]*)"/.exec(headers.get("www-authenticate") ?? "")?.[1] ?? "";
  }
}

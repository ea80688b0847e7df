// One signed-in user and the tools of the text family, in either era. Every answer is held against what all answers must be:
// HTTP 200, one text block that is the JSON of structuredContent, valid by the output schema that tools/list shows.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect, inject } from "vitest";
import { freshUser, login } from "../harness/login";
import { type Answer, modernRequest, openSession } from "../harness/raw-mcp";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export interface Edited {
  readonly hash: string;
  readonly total_lines: number;
  readonly already_applied?: true;
}

export interface ReadText {
  readonly content: string;
  readonly hash: string;
  readonly total_lines: number;
  readonly truncated?: true;
  readonly next_line?: number;
}

export interface ListedDirectory {
  readonly path: string;
  readonly entries: readonly { readonly name: string; readonly type: "directory" | "file" }[];
  readonly total: number;
  readonly truncated: boolean;
}

interface Outputs {
  "file.create": { readonly hash: string };
  "file.list": ListedDirectory;
  "file.remove": Record<string, never>;
  "text.read": ReadText;
  "text.replace": Edited;
  "text.insert": Edited;
  "text.append": Edited;
}

export type TextTool = keyof Outputs;

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

export class TextRoot {
  private constructor(
    readonly url: string,
    readonly user: string,
    readonly era: Era,
    readonly token: string,
    /** Bare JSON-RPC, for methods other than tools/call and for answers that are no tool result. */
    readonly request: Request,
    private readonly validators: ReadonlyMap<string, ValidateFunction>,
  ) {}

  static async signIn(options: SignInOptions = {}): Promise<TextRoot> {
    const { era = "2025-11-25", url = inject("url"), user = freshUser("text"), scope } = options;
    const { accessToken } = await login(url, { user, ...(scope !== undefined && { scope }) });
    return TextRoot.withToken(url, user, accessToken, era);
  }

  static async withToken(url: string, user: string, token: string, era: Era): Promise<TextRoot> {
    const request: Request =
      era === "2026-07-28"
        ? (method, params) => modernRequest(url, token, method, params)
        : (await openSession(url, token)).request;
    const listed = await request("tools/list", {});
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    const validators = (listed.body.result.tools as ListedTool[])
      .filter(({ name }) => /^(file|text)\./.test(name))
      .map((tool) => [tool.name, ajv.compile(tool.outputSchema)] as const);
    return new TextRoot(url, user, era, token, request, new Map(validators));
  }

  /** tools/call as sent, whatever comes of it. */
  call(tool: string, args: unknown): Promise<Answer> {
    return this.request("tools/call", { name: tool, arguments: args });
  }

  async result(tool: TextTool, args: object): Promise<{ isError: boolean; value: Record<string, unknown> }> {
    const { status, text, body } = await this.call(tool, args);
    expect(status, text).toBe(200);
    expect(body.error, text.slice(0, 1000)).toBeUndefined();
    const { content, structuredContent: value, isError = false } = body.result;
    expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
    expect(content[0].text === JSON.stringify(value), "the text block is the JSON of structuredContent").toBe(true);
    const validate = this.validators.get(tool);
    expect(validate?.(value), JSON.stringify(validate?.errors)).toBe(true);
    expect("error" in value).toBe(isError);
    return { isError, value };
  }

  async ok<Tool extends TextTool>(tool: Tool, args: object): Promise<Outputs[Tool]> {
    const { isError, value } = await this.result(tool, args);
    expect(isError, JSON.stringify(value).slice(0, 1000)).toBe(false);
    return value as unknown as Outputs[Tool];
  }

  async refused(tool: TextTool, args: object): Promise<Refusal> {
    const { isError, value } = await this.result(tool, args);
    expect(isError, `${tool} succeeded: ${JSON.stringify(value).slice(0, 1000)}`).toBe(true);
    return value.error as Refusal;
  }

  /** Creates a file from text, or from bytes; gives its hash. */
  async create(path: string, content: string | Uint8Array): Promise<string> {
    const args =
      typeof content === "string"
        ? { path, content }
        : { path, content: Buffer.from(content).toString("base64"), encoding: "base64" };
    return (await this.ok("file.create", args)).hash;
  }

  read(path: string, lines?: readonly [number, number]): Promise<ReadText> {
    return this.ok("text.read", { path, ...(lines !== undefined && { lines }) });
  }
}

// One signed-in user and the tools of the context family, in either era. Every answer is held against what all answers of the family
// must be: HTTP 200, exactly one text block, structuredContent its parse and valid by the output schema that tools/list shows.
import type { ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { outputValidators } from "../harness/output-schemas";
import type { Answer } from "../harness/raw-mcp";
import { type Era, type ListedTool, type SignInOptions, TextRoot } from "../text/text-root";

export { type Era, eras } from "../text/text-root";

export interface ContextAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Record<string, unknown> | undefined;
  /** The parse of the text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly value: any;
}

export interface ContextRefusal {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export class ContextRoot {
  private constructor(
    readonly files: TextRoot,
    readonly tools: readonly ListedTool[],
    private readonly validators: ReadonlyMap<string, ValidateFunction>,
  ) {}

  static async signIn(options: SignInOptions = {}): Promise<ContextRoot> {
    return ContextRoot.over(await TextRoot.signIn(options));
  }

  static async over(files: TextRoot): Promise<ContextRoot> {
    const listed = await files.request("tools/list", {});
    const tools = (listed.body.result.tools as ListedTool[]).filter(({ name }) => name.startsWith("context."));
    return new ContextRoot(files, tools, outputValidators(tools));
  }

  /** The same user in another era, or with another token. */
  again(options: Omit<SignInOptions, "user" | "url">): Promise<ContextRoot> {
    return ContextRoot.signIn({ ...options, user: this.files.user, url: this.files.url });
  }

  get era(): Era {
    return this.files.era;
  }

  raw(tool: string, args: unknown): Promise<Answer> {
    return this.files.call(`context.${tool}`, args);
  }

  async call(tool: string, args: unknown): Promise<ContextAnswer> {
    const { status, text: reply, body } = await this.raw(tool, args);
    expect(status, reply).toBe(200);
    expect(body.error, reply.slice(0, 1000)).toBeUndefined();
    const { content, structuredContent, isError = false, _meta: meta } = body.result;
    expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
    const text = content[0].text as string;
    expect(structuredContent).toEqual(JSON.parse(text));
    const validate = this.validators.get(`context.${tool}`);
    expect(validate?.(structuredContent), JSON.stringify(validate?.errors)).toBe(true);
    expect(text.endsWith("\n")).toBe(isError || tool === "resolve");
    expect("isError" in body.result).toBe(isError);
    return { text, isError, meta, value: JSON.parse(text) };
  }

  /** The exact text block, whether it is a success or not. */
  async text(tool: string, args: unknown): Promise<string> {
    return (await this.call(tool, args)).text;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async ok(tool: string, args: unknown): Promise<any> {
    const { isError, value, text } = await this.call(tool, args);
    expect(isError, text).toBe(false);
    return value;
  }

  async refused(tool: string, args: unknown): Promise<ContextRefusal> {
    const { isError, value, text } = await this.call(tool, args);
    expect(isError, text.slice(0, 1000)).toBe(true);
    return value.error as ContextRefusal;
  }

  /** Files below a directory, by paths relative to it. A path that ends with a slash is an empty directory. */
  async put(directory: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      if (!path.endsWith("/")) await this.files.create(`${directory}/${path}`, content);
      else {
        // A directory stays when its last file goes.
        const hash = await this.files.create(`${directory}/${path}gone`, "");
        await this.files.ok("file.remove", { path: `${directory}/${path}gone`, hash });
      }
    }
  }
}

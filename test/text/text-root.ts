// One signed-in user and the tools of the text family, in either era.
import { connect, type Era, type SignInOptions, signIn, ToolRoot } from "../harness/tool-root";

export { type Era, eras, type ListedTool, type Refusal, type SignInOptions } from "../harness/tool-root";

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

export class TextRoot extends ToolRoot<Outputs> {
  static async signIn(options: SignInOptions = {}): Promise<TextRoot> {
    return new TextRoot(await signIn(options));
  }

  static async withToken(url: string, user: string, token: string, era: Era): Promise<TextRoot> {
    return new TextRoot(await connect(url, user, token, era));
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

// One writer: creates, edits and removes files in a directory of its own, one call after the other, until the server is gone.
import { createHash } from "node:crypto";
import type { TextRoot } from "../text/text-root";
import type { Ledger } from "./ledger";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
/** Beyond what is stored with the tree: such contents take the way over object storage. */
const largeLine = `${"large ".repeat(250_000)}\n`;

export class Writer {
  private made = 0;

  constructor(
    private readonly root: TextRoot,
    private readonly directory: string,
    private readonly ledger: Ledger,
  ) {}

  /** Ends when a call stays without an answer. */
  async writeUntilGone(): Promise<void> {
    while (await this.workOneFile()) this.made += 1;
  }

  private async workOneFile(): Promise<boolean> {
    const path = `${this.directory}/${this.made}`;
    let text = this.made % 5 === 4 ? largeLine : `file ${this.made}\n`;
    if (!(await this.call("file.create", { path, content: text }, text))) return false;
    for (let edit = 0; edit < 3; edit++) {
      const before = sha256(text);
      const line = `edit ${edit}\n`;
      const insert = edit % 2 === 1;
      const after = insert ? line + text : text + line;
      const anchor = text.slice(0, text.indexOf("\n"));
      const args = insert ? { line: 1, anchor, content: line } : { content: line };
      if (!(await this.call(insert ? "text.insert" : "text.append", { path, hash: before, ...args }, after)))
        return false;
      text = after;
    }
    // Every other file stays.
    return this.made % 2 === 0 || this.call("file.remove", { path, hash: sha256(text) }, null);
  }

  /** Was it answered? */
  private async call(
    tool: string,
    args: { path: string; [name: string]: unknown },
    after: string | null,
  ): Promise<boolean> {
    this.ledger.send(args.path, after === null ? null : sha256(after));
    const answer = await this.root.call(tool, args).catch(() => undefined);
    if (answer?.status !== 200 || answer.body.result === undefined) return false;
    if (answer.body.result.isError) throw new Error(`${tool} ${args.path}: ${answer.text.slice(0, 500)}`);
    this.ledger.acknowledge(args.path);
    return true;
  }
}

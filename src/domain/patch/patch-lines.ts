/**
 * A patch read line by line, as bytes: hunks are compared with the bytes of files, and only headers become strings.
 * A cursor instead of a list, because four MiB can be four million lines.
 */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export class PatchLines {
  readonly bytes: Uint8Array;
  /** 1-based. */
  lineNumber = 1;
  /** Where the current line begins and where its `\n` stands. */
  start = 0;
  end: number;
  // A byte order mark is part of a line like any other character.
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(text: string) {
    this.bytes = new TextEncoder().encode(text.endsWith("\n") ? text : `${text}\n`);
    this.end = this.bytes.indexOf(lineFeed);
  }

  get done(): boolean {
    return this.start >= this.bytes.length;
  }

  /** The first byte of the line; its `\n` if the line is empty. */
  get sign(): number | undefined {
    return this.bytes[this.start];
  }

  get endsWithCr(): boolean {
    return this.end > this.start && this.bytes[this.end - 1] === carriageReturn;
  }

  get text(): string {
    return this.decoder.decode(this.bytes.subarray(this.start, this.end));
  }

  advance(): void {
    this.start = this.end + 1;
    this.end = this.done ? this.start : this.bytes.indexOf(lineFeed, this.start);
    this.lineNumber++;
  }

  /** `prefix` is ASCII without `\n`. */
  startsWith(prefix: string): boolean {
    return this.standsAt(prefix, this.start);
  }

  nextStartsWith(prefix: string): boolean {
    return this.standsAt(prefix, this.end + 1);
  }

  /** `--- ` directly followed by `+++ `. */
  get isNamePair(): boolean {
    return this.startsWith("--- ") && this.nextStartsWith("+++ ");
  }

  private standsAt(prefix: string, at: number): boolean {
    for (let index = 0; index < prefix.length; index++) {
      if (this.bytes[at + index] !== prefix.charCodeAt(index)) return false;
    }
    return true;
  }
}

import type { Sha256 } from "../../domain/hash";

/** Characters of all texts together; a character takes one byte in memory, or two. */
const charactersMax = 4 * 1024 * 1024;
/** A longer text would push out all others. */
const textMaxCharacters = 1024 * 1024;

interface RecentText {
  readonly text: string;
  /** When the table last heard of a use. */
  readonly usedAtMs: number;
}

/** Texts that were read or written last, by hash, so that a chain of edits does not read back what it has just written. */
export class RecentTexts {
  private readonly texts = new Map<Sha256, RecentText>();
  private characters = 0;

  get(hash: Sha256): RecentText | undefined {
    const recent = this.texts.get(hash);
    if (recent === undefined) return undefined;
    // Last used stands last: a Map keeps the order of insertion.
    this.texts.delete(hash);
    this.texts.set(hash, recent);
    return recent;
  }

  add(hash: Sha256, text: string, usedAtMs: number): void {
    if (text.length > textMaxCharacters) return;
    this.drop(hash);
    this.texts.set(hash, { text, usedAtMs });
    this.characters += text.length;
    for (const oldest of this.texts.keys()) {
      if (this.characters <= charactersMax) break;
      this.drop(oldest);
    }
  }

  private drop(hash: Sha256): void {
    this.characters -= this.texts.get(hash)?.text.length ?? 0;
    this.texts.delete(hash);
  }
}

import type { LineRange } from "../../../domain/lines";
import type { RootPath } from "../../../domain/path";
import { keepResult } from "../../envelope";

/** Characters of all contents together. Each is kept as it is and as it stands in an answer, so about four times. */
const charactersMax = 2 * 1024 * 1024;
/** A longer content would push out many others. */
const contentMaxCharacters = 128 * 1024;
/** So many other parts may be asked for between two calls for the same one. To keep what nobody asks for again would cost more than it saves. */
const askedMax = 64;

interface ReadAnswer extends Record<string, unknown> {
  readonly content: string;
  readonly hash: string;
}

/**
 * Answers that this isolate has given, so that a file which has not changed need not come from the user's object again, nor be made JSON
 * again. The object is still asked in every call: who may read, and whether the version is the one that is known.
 */
class RecentReads {
  readonly #answers = new Map<string, ReadAnswer>();
  #characters = 0;
  /** The versions that were given last. */
  readonly #asked = new Map<string, string>();

  /** One part of one file of one user. */
  keyOf(userId: string, path: RootPath, lines: LineRange | null): string {
    return `${userId} ${lines === null ? "" : `${lines[0]}:${lines[1]}`} ${path}`;
  }

  recall(key: string): ReadAnswer | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    // Last used stands last: a Map keeps the order of insertion.
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  /** Keeps the answer if it was given before, not long ago. */
  keep(key: string, answer: ReadAnswer): void {
    this.#drop(key);
    if (answer.content.length > contentMaxCharacters || !this.#isAskedAgain(key, answer.hash)) return;
    keepResult(answer);
    this.#answers.set(key, answer);
    this.#characters += answer.content.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= charactersMax) break;
      this.#drop(oldest);
    }
  }

  #isAskedAgain(key: string, hash: string): boolean {
    const former = this.#asked.get(key);
    this.#asked.delete(key);
    if (former === hash) return true;
    this.#asked.set(key, hash);
    const oldest = this.#asked.size > askedMax ? this.#asked.keys().next().value : undefined;
    if (oldest !== undefined) this.#asked.delete(oldest);
    return false;
  }

  #drop(key: string): void {
    this.#characters -= this.#answers.get(key)?.content.length ?? 0;
    this.#answers.delete(key);
  }
}

export const recentReads = new RecentReads();

// What the server owes after a crash: of every path the last acknowledged version, or what the one call without an answer may have made of it.

/** A version of a path by its hash; null: no file. */
export type Version = string | null;

export class Ledger {
  /** Calls that were answered with success. */
  acknowledgedCount = 0;
  private readonly acknowledged = new Map<string, Version>();
  private readonly unanswered = new Map<string, Version>();

  /** A call goes out that would make this of the path. */
  send(path: string, version: Version): void {
    this.unanswered.set(path, version);
  }

  /** Its answer has arrived. */
  acknowledge(path: string): void {
    this.acknowledged.set(path, this.unanswered.get(path) ?? null);
    this.unanswered.delete(path);
    this.acknowledgedCount += 1;
  }

  paths(): string[] {
    return [...new Set([...this.acknowledged.keys(), ...this.unanswered.keys()])];
  }

  /** Is this what the path may hold? Then it is what it holds from now on. */
  settle(path: string, found: Version): boolean {
    const allowed = [this.acknowledged.get(path) ?? null];
    const pending = this.unanswered.get(path);
    if (pending !== undefined) allowed.push(pending);
    this.unanswered.delete(path);
    if (found === null) this.acknowledged.delete(path);
    else this.acknowledged.set(path, found);
    return allowed.includes(found);
  }
}

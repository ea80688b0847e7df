/** A client's answers to requests of the server arrive in another HTTP request, perhaps in another isolate; they meet here. */
export class ReplyMailbox {
  private readonly waiting = new Map<string, (message: string | null) => void>();

  /** Resolves with the client's message, or with null when the time is up. */
  wait(key: string, timeoutMs: number): Promise<string | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.delete(key);
        resolve(null);
      }, timeoutMs);
      this.waiting.set(key, (message) => {
        clearTimeout(timer);
        this.waiting.delete(key);
        resolve(message);
      });
    });
  }

  deliver(key: string, message: string): boolean {
    const resolve = this.waiting.get(key);
    resolve?.(message);
    return resolve !== undefined;
  }
}

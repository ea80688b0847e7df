// An event stream of the server, read as it comes: the GET of a session, or subscriptions/listen of the 2026 era.
import { modernMessage } from "./raw-mcp";

export class EventStream {
  /** All that came so far. */
  text = "";
  /** Whether the server has ended the stream. */
  isEnded = false;
  /** Resolves when the server ends the stream; rejects when the connection breaks. */
  readonly ended: Promise<void>;
  #listeners = new Set<() => void>();

  private constructor(
    readonly response: Response,
    private readonly controller: AbortController,
  ) {
    this.ended = this.#read();
    // Whoever does not wait for the end need not know how it came.
    this.ended.catch(() => {});
  }

  static async open(target: string, init: RequestInit): Promise<EventStream> {
    const controller = new AbortController();
    return new EventStream(await fetch(target, { ...init, signal: controller.signal }), controller);
  }

  /** The standalone stream of a 2025-era session, with the session's headers. */
  static get(url: string, headers: Record<string, string>): Promise<EventStream> {
    return EventStream.open(`${url}/mcp`, { headers: { ...headers, accept: "text/event-stream" } });
  }

  /** subscriptions/listen of the 2026 era. */
  static listen(url: string, token: string, notifications: object): Promise<EventStream> {
    const { message, headers } = modernMessage(token, "subscriptions/listen", { notifications });
    return EventStream.open(`${url}/mcp`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(message),
    });
  }

  /** Waits until what came so far matches; rejects when the stream ends without it. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) {
      if (this.isEnded) throw new Error(`the stream ended without ${pattern}:\n${this.text}`);
      await new Promise<void>((done) => this.#listeners.add(done));
    }
  }

  close(): void {
    this.controller.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        this.text += decoder.decode(chunk as Uint8Array, { stream: true });
        this.#wake();
      }
    } finally {
      this.isEnded = true;
      this.#wake();
    }
  }

  #wake(): void {
    for (const done of this.#listeners) done();
    this.#listeners.clear();
  }
}

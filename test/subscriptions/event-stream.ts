// An open event stream as a client sees it: every message in the order of arrival, and a wait for the next ones. Both eras.
import { expect } from "vitest";
import { modernMessage, type Session } from "../harness/raw-mcp";

export interface Notification {
  readonly method: string;
  readonly params?: { readonly uri?: string; readonly [name: string]: unknown };
}

/** Far longer than an event takes; a test that waits for it in vain fails with what has come instead. */
const patienceMs = 30_000;

export class EventStream {
  private readonly messages: Notification[] = [];
  private taken = 0;
  private readonly ending = new AbortController();
  /** Whether the server has ended the stream. */
  ended = false;

  /** The GET stream of a 2025-era session; `headers` may carry another token than the session was opened with. */
  static async ofSession(url: string, { headers }: Pick<Session, "headers">): Promise<EventStream> {
    const stream = new EventStream();
    const response = await fetch(`${url}/mcp`, {
      headers: { ...headers, accept: "text/event-stream" },
      signal: stream.ending.signal,
    });
    expect(response.status).toBe(200);
    stream.read(response);
    return stream;
  }

  /** A subscriptions/listen request of the 2026 era, acknowledged. */
  static async listen(url: string, token: string, notifications: object): Promise<EventStream> {
    const stream = new EventStream();
    const response = await stream.post(url, token, notifications);
    expect(response.status).toBe(200);
    stream.read(response);
    const acknowledged = await stream.next();
    expect(acknowledged.method).toBe("notifications/subscriptions/acknowledged");
    expect(acknowledged.params?.notifications).toEqual(notifications);
    return stream;
  }

  post(url: string, token: string, notifications: object): Promise<Response> {
    const { message, headers } = modernMessage(token, "subscriptions/listen", { notifications });
    return fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(message),
      signal: this.ending.signal,
    });
  }

  /** The next message that was not taken yet. */
  async next(): Promise<Notification> {
    const [message] = await this.take(1);
    return message as Notification;
  }

  /** The next messages as short words: "updated list://notes", "list_changed". */
  async words(count: number): Promise<string[]> {
    return (await this.take(count)).map(({ method, params }) =>
      method === "notifications/resources/updated"
        ? `updated ${params?.uri}`
        : method.replace("notifications/resources/", ""),
    );
  }

  async take(count: number): Promise<Notification[]> {
    const upTo = this.taken + count;
    await expect
      .poll(() => (this.messages.length >= upTo ? "enough" : this.messages), { timeout: patienceMs, interval: 10 })
      .toBe("enough");
    const taken = this.messages.slice(this.taken, upTo);
    this.taken = upTo;
    return taken;
  }

  /** Messages that nobody has taken. */
  untaken(): Notification[] {
    return this.messages.slice(this.taken);
  }

  close(): void {
    this.ending.abort();
  }

  private read(response: Response): void {
    void this.collect(response).catch((error: unknown) => {
      if (!this.ending.signal.aborted) throw error;
    });
  }

  private async collect(response: Response): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) this.messages.push(JSON.parse(data) as Notification);
      }
    }
    this.ended = true;
  }
}

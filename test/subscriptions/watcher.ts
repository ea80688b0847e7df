// A watcher of resources, in either era: its notifications in the order of arrival, and a wait for the next ones.
import { expect } from "vitest";
import { EventStream } from "../harness/event-stream";
import type { Session } from "../harness/raw-mcp";

export interface Notification {
  readonly method: string;
  readonly params?: { readonly uri?: string; readonly [name: string]: unknown };
}

/** Far longer than an event takes; a test that waits for it in vain fails with what has come instead. */
const patience = { timeout: 30_000, interval: 10 };

export class Watcher {
  private taken = 0;

  private constructor(private readonly stream: EventStream) {}

  /** The GET stream of a 2025-era session; `headers` may carry another token than the session was opened with. */
  static async ofSession(url: string, { headers }: Pick<Session, "headers">): Promise<Watcher> {
    const stream = await EventStream.get(url, headers);
    expect(stream.response.status).toBe(200);
    return new Watcher(stream);
  }

  /** A subscriptions/listen request of the 2026 era, acknowledged. */
  static async listen(url: string, token: string, notifications: object): Promise<Watcher> {
    const watcher = new Watcher(await EventStream.listen(url, token, notifications));
    expect(watcher.stream.response.status).toBe(200);
    const [acknowledged] = await watcher.take(1);
    expect(acknowledged?.method).toBe("notifications/subscriptions/acknowledged");
    expect(acknowledged?.params?.notifications).toEqual(notifications);
    return watcher;
  }

  /** The next notifications as short words: "updated list://notes", "list_changed". */
  async words(count: number): Promise<string[]> {
    return (await this.take(count)).map(({ method, params }) =>
      method === "notifications/resources/updated"
        ? `updated ${params?.uri}`
        : method.replace("notifications/resources/", ""),
    );
  }

  /** Notifications that nobody has taken. */
  untaken(): Notification[] {
    return this.received().slice(this.taken);
  }

  /** Waits until the server ends the stream. */
  async ended(): Promise<void> {
    await expect.poll(() => this.stream.isEnded, patience).toBe(true);
  }

  close(): void {
    this.stream.close();
  }

  private async take(count: number): Promise<Notification[]> {
    const upTo = this.taken + count;
    await expect.poll(() => (this.received().length >= upTo ? "enough" : this.received()), patience).toBe("enough");
    const taken = this.received().slice(this.taken, upTo);
    this.taken = upTo;
    return taken;
  }

  private received(): Notification[] {
    // A frame ends with an empty line; what follows the last one is still on its way.
    const frames = this.stream.text.split("\n\n").slice(0, -1);
    return frames.flatMap((frame) => {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      return data === undefined ? [] : [JSON.parse(data) as Notification];
    });
  }
}

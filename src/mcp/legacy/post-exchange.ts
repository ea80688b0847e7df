import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import { keepAliveMs } from "../../domain/limits";

/** Sends a request of the server to the client and waits for the client's answer, which comes in another HTTP request. */
export type AskClient = (requestId: string) => Promise<JSONRPCMessage | null>;

const primingId = "holdfast-initialize";

/** Its call, if it came in another POST, has another server object; one of the same batch would never be answered. */
function isCancellation(message: JSONRPCMessage): boolean {
  return "method" in message && message.method === "notifications/cancelled";
}

/**
 * One POST of the 2025 era: the messages of its body go in, their answers come out. The answer is one JSON body, unless
 * a notification or a request of the server must go out before it: only then it becomes an SSE stream. So a refusal by
 * the user's object can still become an HTTP status.
 */
export class PostExchange implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;

  private readonly pending = new Set<RequestId>();
  private readonly answers: JSONRPCMessage[] = [];
  private stream: { readonly writer: WritableStreamDefaultWriter<Uint8Array>; readonly timer: unknown } | undefined;
  private readonly response = Promise.withResolvers<Response>();
  private primed: (() => void) | undefined;

  constructor(
    private readonly askClient: AskClient,
    private readonly acceptsStream: boolean,
  ) {}

  async start(): Promise<void> {}

  /** Replays the session's handshake, so that the new server object knows its client. */
  async prime(initialize: unknown): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.primed = resolve;
    this.onmessage?.({ jsonrpc: "2.0", id: primingId, method: "initialize", params: initialize } as JSONRPCRequest);
    await promise;
  }

  /** The response; null when the messages held no request, so that nothing is to be answered. */
  async serve(messages: readonly JSONRPCMessage[], batch: boolean, extra: MessageExtraInfo): Promise<Response | null> {
    const requests = messages.filter(isJSONRPCRequest);
    for (const { id } of requests) this.pending.add(id);
    this.batch = batch;
    for (const message of messages) if (!isCancellation(message)) this.onmessage?.(message, extra);
    return requests.length === 0 ? null : this.response.promise;
  }

  private batch = false;

  async send(message: JSONRPCMessage, _options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (this.primed === undefined) return this.answer(message);
      // The only one under way; a client may use the same id afterwards.
      this.primed();
      this.primed = undefined;
      return;
    }
    if (!this.acceptsStream) {
      if (isJSONRPCRequest(message)) throw new Error("The client accepts no stream, so it cannot be asked.");
      return;
    }
    if (!isJSONRPCRequest(message)) return this.write(message);
    // Every server object counts its requests from 0; the client needs ids that are unique in its session.
    const wireId = crypto.randomUUID();
    const answer = this.askClient(wireId);
    await this.write({ ...message, id: wireId });
    const received = await answer;
    if (received !== null) this.onmessage?.({ ...received, id: message.id } as JSONRPCMessage);
  }

  async close(): Promise<void> {
    if (this.stream !== undefined) {
      clearInterval(this.stream.timer as number);
      await this.stream.writer.close().catch(() => {});
      this.stream = undefined;
    }
    this.onclose?.();
  }

  private async answer(message: JSONRPCMessage & { id?: RequestId | undefined }): Promise<void> {
    if (message.id !== undefined) this.pending.delete(message.id);
    if (this.stream !== undefined) {
      await this.write(message);
      if (this.pending.size === 0) await this.close();
      return;
    }
    this.answers.push(message);
    if (this.pending.size > 0) return;
    // All is answered and no stream is open: nothing is left to be ended, and the server object goes with its request.
    this.response.resolve(Response.json(this.batch ? this.answers : this.answers[0]));
  }

  private async write(message: JSONRPCMessage): Promise<void> {
    if (this.stream === undefined) this.openStream();
    await this.frame(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  private openStream(): void {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
      highWaterMark: Number.MAX_SAFE_INTEGER,
    });
    const timer = setInterval(() => void this.frame(": keep-alive\n\n"), keepAliveMs);
    this.stream = { writer: writable.getWriter(), timer };
    this.response.resolve(
      new Response(readable, {
        headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform" },
      }),
    );
    for (const answer of this.answers) void this.write(answer);
  }

  private async frame(text: string): Promise<void> {
    try {
      await this.stream?.writer.write(new TextEncoder().encode(text));
    } catch {
      // The client has gone; the work it asked for goes on to its end.
      await this.close();
    }
  }
}

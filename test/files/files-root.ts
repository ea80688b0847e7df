// One signed-in user and its raw bytes over HTTP, with the tools around them.
import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { bearer } from "../harness/raw-mcp";
import { connect, type Era, type SignInOptions, signIn, ToolRoot } from "../harness/tool-root";
import type { Edited, ListedDirectory, ReadText } from "../text/text-root";

export const mib = 1024 * 1024;

export const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

/** Random, and surely no text. */
export function binary(size: number): Buffer {
  const bytes = randomBytes(size);
  if (size > 0) bytes[0] = 0;
  return bytes;
}

export interface UploadLink {
  readonly url: string;
  readonly method: "PUT";
  readonly expires_at: string;
  readonly max_bytes: number;
  readonly curl: string;
}

export interface DownloadLink {
  readonly url: string;
  readonly method: "GET";
  readonly expires_at: string;
  readonly hash: string;
  readonly size: number;
  readonly curl: string;
}

interface Outputs {
  "file.create": { readonly hash: string };
  "file.list": ListedDirectory;
  "file.remove": Record<string, never>;
  "file.upload_url": UploadLink;
  "file.download_url": DownloadLink;
  "text.read": ReadText;
  "text.append": Edited;
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Of a refusal. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

export class FilesRoot extends ToolRoot<Outputs> {
  static async signIn(options: SignInOptions = {}): Promise<FilesRoot> {
    return new FilesRoot(await signIn(options));
  }

  static async withToken(url: string, user: string, token: string, era: Era = "2025-11-25"): Promise<FilesRoot> {
    return new FilesRoot(await connect(url, user, token, era));
  }

  send(method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array | string): Promise<Got> {
    const init = { method, headers: { ...bearer(this.token), ...headers }, ...(body !== undefined && { body }) };
    return got(fetch(`${this.url}/files${path}`, init as RequestInit));
  }

  get(path: string, headers?: Record<string, string>): Promise<Got> {
    return this.send("GET", path, headers);
  }

  put(path: string, body: Uint8Array | string, headers?: Record<string, string>): Promise<Got> {
    return this.send("PUT", path, headers, body);
  }

  /** A PUT whose length is not said in advance. */
  putChunked(
    path: string,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    headers: Record<string, string> = {},
  ): Promise<Got> {
    const iterator = Symbol.iterator in pieces ? pieces[Symbol.iterator]() : pieces[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    const init = { method: "PUT", body, duplex: "half", headers: { ...bearer(this.token), ...headers } };
    return got(fetch(`${this.url}/files${path}`, init as unknown as RequestInit));
  }

  /** Stores a new file that must be taken; gives its hash. */
  async store(path: string, content: Uint8Array | string): Promise<string> {
    const answer = await this.put(path, content);
    expect(answer.status, answer.bytes.toString()).toBe(201);
    return (JSON.parse(answer.bytes.toString()) as { hash: string }).hash;
  }

  /** The names in a directory. */
  async names(path = "/"): Promise<string[]> {
    return (await this.ok("file.list", { path })).entries.map(({ name }) => name);
  }
}

export async function got(response: Promise<Response>): Promise<Got> {
  const answer = await response;
  const bytes = Buffer.from(await answer.arrayBuffer());
  const json = bytes.length > 0 && answer.headers.get("content-type")?.startsWith("application/json");
  const error = json ? JSON.parse(bytes.toString()).error : undefined;
  return { status: answer.status, headers: answer.headers, bytes, error };
}

export const ifMatch = (hash: string) => ({ "if-match": `"${hash}"` });

import { bodyMaxBytes, uploadMaxBytes } from "../domain/limits";

/** How long what is still on its way of a body that is too large is taken and dropped. */
const lingerMs = 2_000;

export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "too_large" }
  | { readonly kind: "not_json"; readonly why: string };

/** Reads at most the limit from the stream, whatever the headers say, and parses only what came whole. */
export async function readJsonBody(request: Request): Promise<Body> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > bodyMaxBytes) return { kind: "too_large" };
  // A body whose length was said cannot be longer; to take it in one piece is quicker than to read the stream.
  if (declared !== null && !request.headers.has("transfer-encoding")) {
    return parse(new Uint8Array(await request.arrayBuffer()));
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null) {
    const reader = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > bodyMaxBytes) {
        await discard(reader, uploadMaxBytes - size);
        return { kind: "too_large" };
      }
      chunks.push(value);
    }
  }
  return parse(join(chunks, size));
}

/** Fatal: a replacement character would be stored as if the client had sent it. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parse(bytes: Uint8Array): Body {
  try {
    return { kind: "json", value: JSON.parse(decoder.decode(bytes)) };
  } catch (error) {
    return { kind: "not_json", why: error instanceof SyntaxError ? "not valid JSON" : "not valid UTF-8" };
  }
}

/** A client that still sends may lose the answer with the connection: let it finish, within reason. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<void> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, lingerMs, null));
  for (let size = 0; size <= maxBytes; ) {
    const next = await Promise.race([reader.read(), late]);
    if (next === null || next.done) return;
    size += next.value.byteLength;
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

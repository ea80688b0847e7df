import { uploadMaxBytes, uploadPieceBytes } from "../domain/limits";

/** How long what is still on its way of a refused body is taken and dropped. */
const lingerMs = 5_000;

/**
 * An answer that comes before the end of the body may be lost with the connection, on which the client still sends:
 * lets it finish, within reason.
 */
export async function afterBody(request: Request, response: Response): Promise<Response> {
  if (request.body === null || request.body.locked) return response;
  const reader = request.body.getReader({ mode: "byob" });
  const late = new Promise<null>((resolve) => setTimeout(resolve, lingerMs, null));
  try {
    let buffer = new ArrayBuffer(uploadPieceBytes);
    for (let dropped = 0; dropped <= uploadMaxBytes; ) {
      const next = await Promise.race([reader.read(new Uint8Array(buffer)), late]);
      if (next === null || next.done) break;
      dropped += next.value.byteLength;
      buffer = next.value.buffer as ArrayBuffer;
    }
  } catch {
    // The client has gone.
  }
  return response;
}

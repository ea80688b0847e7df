// One HTTP/1.1 response after the other, out of the pieces in which they arrive.

const endOfHead = Buffer.from("\r\n\r\n");

export class ResponseParser {
  #pieces = [];
  #size = 0;
  #head = null;

  /** Whether nothing of a response has come yet. */
  get isEmpty() {
    return this.#size === 0;
  }

  /** The response that is complete with this piece, or null. Requests go one at a time, so nothing follows it. */
  take(piece, isHead) {
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.#head ??= this.#parseHead();
    if (this.#head === null) return null;
    const { status, headers, bodyAt } = this.#head;
    const length = isHead || status === 204 || status === 304 ? 0 : headers["content-length"];
    if (length !== undefined && this.#size < bodyAt + Number(length)) return null;
    if (length === undefined && headers["transfer-encoding"] !== "chunked") {
      throw new Error(`no length and no chunks: ${JSON.stringify(headers)}`);
    }
    // Large bodies come in many pieces; only one that can be the last is worth a look at all of them.
    if (length === undefined && !piece.subarray(-endOfHead.length).equals(endOfHead)) return null;
    const rest = this.#joined().subarray(bodyAt);
    const bytes = length === undefined ? joinChunks(rest) : rest;
    if (bytes === null) return null;
    this.#pieces = [];
    this.#size = 0;
    this.#head = null;
    return { status, headers, bytes };
  }

  #parseHead() {
    const all = this.#joined();
    const end = all.indexOf(endOfHead);
    if (end === -1) return null;
    const [first, ...lines] = all.latin1Slice(0, end).split("\r\n");
    const headers = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    return { status: Number(first.split(" ")[1]), headers, bodyAt: end + endOfHead.length };
  }

  #joined() {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0];
  }
}

/** The body that comes in chunks; null while the last one, which is empty, is still to come. */
function joinChunks(bytes) {
  const chunks = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.latin1Slice(at, lineEnd), 16);
    const start = lineEnd + 2;
    if (bytes.length < start + size + 2) return null;
    if (size === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

import { type ByteRange, parseRangeHeader } from "../domain/byte-range";
import { formatTag, matchesStrongly, matchesWeakly, parseTagList, type TagList } from "../domain/entity-tags";
import type { LocatedContent } from "../root/operations/files/locate-file";
import type { BlobPlace } from "../root/store/blob-reads";
import { errorResponse } from "./refusals";

/** What a download needs of the Worker around it. */
export interface Bucket {
  readonly bucket: R2Bucket;
  /** Lets work go on after the answer has begun. */
  waitUntil(work: Promise<unknown>): void;
}

/** Versions whose bytes the client has already; "*" stands for whichever is there. */
export function knownTags(headers: Headers): TagList | null {
  return tagsOf(headers, "If-None-Match");
}

/** The answer to GET or HEAD for a content that is there (RFC 9110 §13.2.2 gives the order). */
export async function contentResponse(
  request: Request,
  content: LocatedContent,
  source: Bucket,
  disposition = "attachment",
): Promise<Response> {
  const { hash, size, place } = content;
  const { headers } = request;
  const always = {
    ETag: formatTag(hash),
    "Cache-Control": "private, no-store, no-transform",
    "Accept-Ranges": "bytes",
    "X-Content-Type-Options": "nosniff",
    "Content-Disposition": disposition,
  };
  const wanted = tagsOf(headers, "If-Match");
  if (wanted !== null && !matchesStrongly(wanted, hash)) {
    const message = "The file is not at the version that If-Match names. Leave it out to get the current one.";
    return errorResponse(412, "HASH_MISMATCH", message);
  }
  const known = knownTags(headers);
  if (known !== null && matchesWeakly(known, hash)) return new Response(null, { status: 304, headers: always });
  const entity = { ...always, "Content-Type": "application/octet-stream" };
  if (request.method === "HEAD") {
    return new Response(null, { headers: { ...entity, "Content-Length": String(size) } });
  }
  const range = rangeOf(headers, hash, size);
  if (range === "unsatisfiable") {
    const message = `The file has ${size} bytes, which the range asked for does not touch.`;
    return errorResponse(416, "INVALID_ARGUMENT", message, { "Content-Range": `bytes */${size}` });
  }
  if (place === null) throw new Error("the bytes were not asked for");
  const { start, end } = range ?? { start: 0, end: size };
  const body = await bytesOf(place, size, { start, end }, source);
  return new Response(body, {
    status: range === null ? 200 : 206,
    headers: {
      ...entity,
      "Content-Length": String(end - start),
      ...(range !== null && { "Content-Range": `bytes ${start}-${end - 1}/${size}` }),
    },
  });
}

/** Null where the header is absent, or cannot be read: then it asks for nothing. */
function tagsOf(headers: Headers, name: string): TagList | null {
  const text = headers.get(name);
  return text === null ? null : parseTagList(text);
}

/** A range of another version than the one that the client has begun with would not fit: it gets the whole. */
function rangeOf(headers: Headers, hash: string, size: number): ByteRange | "unsatisfiable" | null {
  const text = headers.get("Range");
  if (text === null) return null;
  const condition = headers.get("If-Range");
  if (condition !== null && condition.trim() !== formatTag(hash)) return null;
  return parseRangeHeader(text, size);
}

/** Large bytes go from object storage to the client, piece by piece, without a copy in memory. */
async function bytesOf(
  place: BlobPlace,
  size: number,
  { start, end }: ByteRange,
  { bucket, waitUntil }: Bucket,
): Promise<Uint8Array | ReadableStream> {
  if (place.kind === "inline") return place.bytes.subarray(start, end);
  const object = await bucket.get(place.r2Key, { range: { offset: start, length: end - start } });
  if (object === null || object.size !== size) throw new Error(`${place.r2Key} does not hold ${size} bytes`);
  // Says the length to the client, and breaks the answer off if other than that many bytes come.
  const pipe = new FixedLengthStream(end - start);
  waitUntil(object.body.pipeTo(pipe.writable).catch(() => undefined));
  return pipe.readable;
}

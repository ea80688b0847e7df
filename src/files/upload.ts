import { formatTag, parseTagList, type TagList } from "../domain/entity-tags";
import { bodyTooLarge, type FileRefusal, invalidRequest, notStored } from "../domain/file-refusals";
import { type Sha256, sha256Hex } from "../domain/hash";
import { inlineBlobMaxBytes, uploadMaxBytes, uploadPartBytes } from "../domain/limits";
import type { PutGuard } from "../domain/put-guard";
import { err, ok, type Result } from "../domain/result";
import type { PutTarget, StoredFile } from "../root/operations/files/put-file";
import { BrokenOff, measureObject, sendKnown, sendUnknown, TooLong, UploadBody } from "../storage/upload";
import type { RootCall } from "./root-call";

/** An upload, and what its bytes must be; null: whatever comes. */
export interface Upload {
  readonly target: PutTarget;
  readonly sha256: Sha256 | null;
  readonly size: number | null;
}

/** `If-Match` and `If-None-Match` of a PUT. What cannot be read is refused: it was meant to protect something. */
export function parseGuard(headers: Headers): Result<PutGuard, FileRefusal> {
  const lists: (TagList | null)[] = [];
  for (const name of ["If-Match", "If-None-Match"]) {
    const text = headers.get(name);
    const tags = text === null ? null : parseTagList(text);
    if (text !== null && tags === null) {
      return err(invalidRequest(`${name}: not an ETag; send it with its quotes, such as ${name}: "<sha256>".`));
    }
    lists.push(tags);
  }
  const [ifMatch = null, ifNoneMatch = null] = lists;
  return ok({ ifMatch, ifNoneMatch });
}

/** Takes the body of a PUT. Small ones go to the user's object with the one call that stores them; larger ones by way of object storage. */
export async function receive(
  request: Request,
  bucket: R2Bucket,
  root: RootCall,
  upload: Upload,
): Promise<Result<StoredFile, FileRefusal>> {
  const { path } = upload.target;
  if (request.headers.has("Content-Range")) {
    return err(invalidRequest("Content-Range: a file is sent whole; leave it out."));
  }
  const length = request.headers.get("Content-Length");
  const declared = length === null ? null : Number(length);
  if (declared !== null && declared > uploadMaxBytes) return err(bodyTooLarge(path));
  if (declared !== null && upload.size !== null && declared !== upload.size) return err(wrongSize(upload, declared));
  const body = new UploadBody(request.body);
  try {
    return await take(body, declared, bucket, root, upload);
  } catch (error) {
    if (error instanceof TooLong) return err(bodyTooLarge(path));
    if (error instanceof BrokenOff) return err(notStored(path, "the body broke off before its end."));
    throw error;
  } finally {
    body.release();
  }
}

async function take(
  body: UploadBody,
  declared: number | null,
  bucket: R2Bucket,
  root: RootCall,
  upload: Upload,
): Promise<Result<StoredFile, FileRefusal>> {
  if (declared !== null && declared > inlineBlobMaxBytes) {
    return store(bucket, root, upload, declared, (key) => sendKnown(bucket, key, body, declared));
  }
  const first = await body.fill(new ArrayBuffer(declared ?? uploadPartBytes));
  if (declared !== null && first.length < declared) throw new BrokenOff("the body ended too early");
  if (first.length > inlineBlobMaxBytes) {
    return store(bucket, root, upload, first.length, (key) => sendUnknown(bucket, key, body, first));
  }
  const wrong = mismatch(upload, first.length, upload.sha256 === null ? null : sha256Hex(first));
  if (wrong !== null) return err(wrong);
  return root.ask((stub, caller) => stub.putBytes(caller, upload.target, first));
}

/** The user's object names the key first, so that no object can be left unknown, and alone decides at the end. */
async function store(
  bucket: R2Bucket,
  root: RootCall,
  upload: Upload,
  sizeSoFar: number,
  send: (key: string) => Promise<Sha256>,
): Promise<Result<StoredFile, FileRefusal>> {
  const begun = await root.ask((stub, caller) => stub.beginUpload(caller, upload.target, sizeSoFar));
  if (!begun.ok) return begun;
  const key = begun.value;
  const sent = await send(key);
  // What is stored is what was sent: read back, which also tells what git needs the length for.
  const facts = await measureObject(bucket, key);
  if (facts?.blob !== sent) throw new Error(`${key} holds ${facts?.blob ?? "nothing"}, ${sent} was sent`);
  const wrong = mismatch(upload, facts.size, facts.blob);
  if (wrong !== null) return err(wrong);
  return root.ask((stub, caller) => stub.finishUpload(caller, upload.target, key, facts));
}

function mismatch(upload: Upload, size: number, hash: Sha256 | null): FileRefusal | null {
  if (upload.size !== null && size !== upload.size) return wrongSize(upload, size);
  if (upload.sha256 === null || hash === upload.sha256) return null;
  return notStored(upload.target.path, `its bytes hash to ${hash}, not to the ${upload.sha256} that was announced.`);
}

function wrongSize({ target, size }: Upload, actual: number): FileRefusal {
  return notStored(target.path, `it has ${actual} bytes, not the ${size} that were announced.`);
}

/** 201 for a new file, 200 for a new version. */
export function storedResponse({ path }: PutTarget, { created, hash, size }: StoredFile): Response {
  return Response.json(
    { path, hash, size_bytes: size },
    { status: created ? 201 : 200, headers: { ETag: formatTag(hash), "Cache-Control": "private, no-store" } },
  );
}

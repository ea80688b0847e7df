import { type Link, looksLikeLink, openLink } from "../domain/link";
import { nameOf, type RootPath } from "../domain/path";
import type { Env } from "../env";
import { linkKey } from "../storage/link-key";
import { rootOf } from "../storage/root-stub";
import { contentResponse } from "./download";
import { bucketOf, type FilesContext } from "./endpoint";
import { faultResponse, linkRefused, refusalResponse } from "./refusals";
import { Revoked, RootCall } from "./root-call";
import { receive, storedResponse } from "./upload";

const prefix = "/links/";

/** The link that a URL is, if we signed it. No user's object is touched for anything else. */
export async function linkOf(rawPath: string, env: Env): Promise<Link | null> {
  const text = rawPath.slice(prefix.length);
  return looksLikeLink(text) ? openLink(await linkKey(env), text) : null;
}

/** `/links/<link>`: one upload or one download, without a token (zipfs.md §9). */
export async function serveLink(request: Request, link: Link, context: FilesContext): Promise<Response> {
  try {
    if (request.method === "GET") return await download(request, link, context);
    if (request.method === "PUT") return await upload(request, link, context);
    return linkRefused();
  } catch (error) {
    // The token that made the link was revoked while its upload was on the way.
    return error instanceof Revoked ? linkRefused() : faultResponse(error, { method: request.method, at: "/links" });
  }
}

async function download(request: Request, { userId, ticket }: Link, context: FilesContext): Promise<Response> {
  const content = await rootOf(context.env, userId).redeemDownload(ticket);
  if (content === null) return linkRefused();
  return contentResponse(request, content, bucketOf(context), namedAttachment(content.path));
}

/** The ticket says what the upload may do; conditions in headers add nothing to it. */
async function upload(request: Request, { userId, ticket }: Link, context: FilesContext): Promise<Response> {
  const root = rootOf(context.env, userId);
  const allowed = await root.redeemUpload(ticket);
  if (allowed === null) return linkRefused();
  const stored = await receive(request, context.env.BLOBS, new RootCall(root, allowed.maker), allowed);
  return stored.ok ? storedResponse(allowed.target, stored.value) : refusalResponse(stored.error);
}

/** The address of a link says nothing of the file, so a browser is told its name (RFC 6266). */
function namedAttachment(path: RootPath): string {
  const name = encodeURIComponent(nameOf(path)).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename*=UTF-8''${name}`;
}

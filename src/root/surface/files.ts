import type { Caller, CallerFacts } from "../../domain/caller";
import type { ContentFacts } from "../../domain/content-scan";
import type { FileRefusal } from "../../domain/file-refusals";
import type { RootPath } from "../../domain/path";
import type { Result } from "../../domain/result";
import type { TextError } from "../../domain/text-errors";
import type { Reply } from "../contract";
import { type DownloadTicket, issueDownload, issueUpload, type UploadWish } from "../operations/files/issue-link";
import { type LocatedContent, locateFile, type Unwanted } from "../operations/files/locate-file";
import { beginUpload, finishUpload, type PutTarget, putBytes, type StoredFile } from "../operations/files/put-file";
import {
  type AllowedDownload,
  type AllowedUpload,
  redeemDownload,
  redeemUpload,
} from "../operations/files/redeem-ticket";
import type { IssuedTicket, Maker } from "../store/tickets";
import { WithSnapshots } from "./snapshot";

/** Raw bytes, and the tickets of single-use links. Large bytes never come here: the caller moves them to and from object storage. */
export class WithFiles extends WithSnapshots {
  locateFile(caller: Caller, path: RootPath, unwanted: Unwanted): Reply<Result<LocatedContent, FileRefusal>> {
    return this.admitted(caller, () => locateFile(this.root, path, unwanted));
  }

  putBytes(caller: Caller, target: PutTarget, bytes: Uint8Array): Reply<Result<StoredFile, FileRefusal>> {
    return this.admitted(caller, () => putBytes(this.root, target, bytes));
  }

  beginUpload(caller: Caller, target: PutTarget, size: number): Reply<Result<string, FileRefusal>> {
    return this.admitted(caller, () => beginUpload(this.root, target, size));
  }

  finishUpload(
    caller: Caller,
    target: PutTarget,
    r2Key: string,
    facts: ContentFacts,
  ): Reply<Result<StoredFile, FileRefusal>> {
    return this.admitted(caller, () => finishUpload(this.root, target, r2Key, facts));
  }

  async issueUpload(caller: Caller, wish: UploadWish): Promise<Reply<Result<IssuedTicket, TextError>>> {
    const reply = await this.admittedAsync(caller, (facts) => issueUpload(this.root, wish, makerOf(facts)));
    await this.clock.ringBy(this.root.tickets.nextDueMs());
    return reply;
  }

  async issueDownload(caller: Caller, path: RootPath): Promise<Reply<Result<DownloadTicket, TextError>>> {
    const reply = this.admitted(caller, (facts) => issueDownload(this.root, path, makerOf(facts)));
    await this.clock.ringBy(this.root.tickets.nextDueMs());
    return reply;
  }

  /** No caller: the ticket is all that is shown. */
  redeemDownload(ticket: string): AllowedDownload | null {
    return redeemDownload(this.root, ticket, this.holds);
  }

  redeemUpload(ticket: string): AllowedUpload | null {
    return redeemUpload(this.root, ticket, this.holds);
  }

  private readonly holds = (maker: Maker) => this.refusalOf(maker).refusal === undefined;
}

function makerOf({ clientId, grantId, tokenId }: CallerFacts): Maker {
  return { clientId, ...(grantId !== undefined && { grantId }), ...(tokenId !== undefined && { tokenId }) };
}

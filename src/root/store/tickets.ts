import type { CallerFacts } from "../../domain/caller";
import { type Sha256, sha256Hex } from "../../domain/hash";
import { linkTtlMs, ticketsMax } from "../../domain/limits";
import { encodeUrl, ticketBytes } from "../../domain/link";
import type { RootPath } from "../../domain/path";
import type { Chore } from "../alarm-clock";

/** What the holder of a ticket may do, once. */
export type Permit =
  | {
      readonly kind: "upload";
      readonly path: RootPath;
      /** The version to replace; null: there must be none. */
      readonly replaces: Sha256 | null;
      /** What the bytes must hash to, and how many they must be; null: whatever comes. */
      readonly sha256: Sha256 | null;
      readonly size: number | null;
    }
  | { readonly kind: "download"; readonly path: RootPath; readonly blob: Sha256 };

export interface IssuedTicket {
  readonly ticket: string;
  readonly expiresAtMs: number;
}

/** Whose token made the ticket: it is worth no more than that. */
export type Maker = Pick<CallerFacts, "clientId" | "grantId" | "tokenId">;

interface TicketRow extends Record<string, SqlStorageValue> {
  kind: "upload" | "download";
  path: string;
  blob: string | null;
  sha256: string | null;
  size: number | null;
  client_id: string;
  grant_id: string | null;
  token_id: string | null;
}

/** Tickets of single-use links. Kept by their hash: the rows alone open nothing. */
export class Tickets implements Chore {
  constructor(private readonly sql: SqlStorage) {}

  issue(permit: Permit, maker: Maker, nowMs: number): IssuedTicket {
    const ticket = encodeUrl(crypto.getRandomValues(new Uint8Array(ticketBytes)));
    // To the second, as it is told.
    const expiresAtMs = Math.floor((nowMs + linkTtlMs) / 1000) * 1000;
    const upload = permit.kind === "upload" ? permit : null;
    this.sql.exec(
      `INSERT INTO tickets (id, kind, path, blob, sha256, size, client_id, grant_id, token_id, expires_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      sha256Hex(ticket),
      permit.kind,
      permit.path,
      permit.kind === "upload" ? permit.replaces : permit.blob,
      upload?.sha256 ?? null,
      upload?.size ?? null,
      maker.clientId,
      maker.grantId ?? null,
      maker.tokenId ?? null,
      expiresAtMs,
    );
    this.sql.exec(
      "DELETE FROM tickets WHERE id IN (SELECT id FROM tickets ORDER BY expires_at_ms DESC LIMIT -1 OFFSET ?)",
      ticketsMax,
    );
    return { ticket, expiresAtMs };
  }

  /** Uses the ticket up. Null: unknown, used, late, or for the other kind; for that it stays as it is. */
  take(ticket: string, kind: Permit["kind"], nowMs: number): { readonly permit: Permit; readonly maker: Maker } | null {
    const row = this.sql
      .exec<TicketRow>(
        `DELETE FROM tickets WHERE id = ? AND kind = ? AND expires_at_ms > ?
         RETURNING kind, path, blob, sha256, size, client_id, grant_id, token_id`,
        sha256Hex(ticket),
        kind,
        nowMs,
      )
      .toArray()[0];
    return row === undefined ? null : { permit: permitOf(row), maker: makerOf(row) };
  }

  run(nowMs: number): void {
    this.sql.exec("DELETE FROM tickets WHERE expires_at_ms <= ?", nowMs);
  }

  nextDueMs(): number | null {
    return this.sql.exec<{ ms: number | null }>("SELECT min(expires_at_ms) AS ms FROM tickets").one().ms;
  }
}

function permitOf(row: TicketRow): Permit {
  const path = row.path as RootPath;
  if (row.kind === "download") return { kind: "download", path, blob: row.blob as Sha256 };
  return {
    kind: "upload",
    path,
    replaces: row.blob as Sha256 | null,
    sha256: row.sha256 as Sha256 | null,
    size: row.size,
  };
}

function makerOf(row: TicketRow): Maker {
  return {
    clientId: row.client_id,
    ...(row.grant_id !== null && { grantId: row.grant_id }),
    ...(row.token_id !== null && { tokenId: row.token_id }),
  };
}

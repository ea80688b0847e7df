import { DurableObject } from "cloudflare:workers";
import type { UserId } from "../domain/principal";
import type { Env } from "../env";
import type { Revocation } from "../root/contract";
import { type AuthPage, type AuthPutOptions, AuthTable } from "../storage/auth-table";
import { type AuthShard, authEnv } from "./kv";
import { authorizationServer } from "./provider";
import { sha256Hex } from "./user-id";

/**
 * How long a redeemed code or refresh token is refused outright. After it the provider's own rules hold:
 * a refresh token works again until its replacement is used (lost answer), a replayed code revokes the grant.
 */
export const redeemedWindowMs = 10_000;

export interface TokenOwner {
  readonly userId: string;
  readonly grantId: string;
  /** The code or refresh token that this request wants to redeem. */
  readonly redeems?: string;
}

/** One shard of the OAuth provider's storage; for a user's shard also the place where its token requests are served, one at a time per grant. */
export class AuthStore extends DurableObject<Env> {
  readonly #table: AuthTable;
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#table = new AuthTable(ctx.storage);
  }

  async kvGet(key: string): Promise<string | null> {
    return this.#table.get(key, Date.now());
  }

  async kvPut(key: string, value: string, options: AuthPutOptions): Promise<void> {
    await this.#table.put(key, value, options, Date.now());
  }

  async kvDelete(key: string): Promise<boolean> {
    const revocation = revocationOf(key);
    if (!revocation) return this.#table.delete(key, Date.now());
    // A refresh under way would write the grant again after its revocation: wait for it.
    return this.#inTurn(revocation.grantId, () => this.#revoke(key, revocation));
  }

  async kvList(options: { prefix: string; cursor?: string; limit?: number }): Promise<AuthPage> {
    return this.#table.list(options, Date.now());
  }

  /** The provider's token endpoint. It reads, checks and writes in separate steps, so requests of one grant take turns. */
  async serveToken(request: Request, owner: TokenOwner): Promise<Response> {
    // As bytes: of a form read as text the runtime says in the log that it does not look like any.
    const body = await request.arrayBuffer();
    const copy = new Request(request.url, { method: request.method, headers: request.headers, body });
    return this.#inTurn(owner.grantId, () => this.#redeem(copy, owner));
  }

  /** The key that signs single-use links, hex; made at the first call and kept. Asked of one shard only. */
  async linkKey(): Promise<string> {
    const nowMs = Date.now();
    const known = this.#table.get("link-key", nowMs);
    if (known !== null) return known;
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
    await this.#table.put("link-key", key, {}, nowMs);
    return key;
  }

  override async alarm(): Promise<void> {
    await this.#table.sweep(Date.now());
  }

  async #redeem(request: Request, owner: TokenOwner): Promise<Response> {
    const marker = owner.redeems === undefined ? undefined : `redeemed:${await sha256Hex(owner.redeems)}`;
    if (marker && this.#table.get(marker, Date.now()) !== null) return alreadyRedeemed();
    const local: AuthShard = {
      kvGet: (key) => this.kvGet(key),
      kvPut: (key, value, options) => this.kvPut(key, value, options),
      kvList: (options) => this.kvList(options),
      // The turn is ours already.
      kvDelete: async (key) => {
        const revocation = revocationOf(key);
        return revocation ? this.#revoke(key, revocation) : this.#table.delete(key, Date.now());
      },
    };
    const server = authorizationServer(new URL(request.url).origin);
    const env = authEnv(this.env, { name: `user:${owner.userId}`, shard: local });
    const response = await server.fetch(request, env, this.ctx as unknown as ExecutionContext);
    if (marker && response.ok) {
      const nowMs = Date.now();
      await this.#table.put(marker, "1", { expiresAtMs: nowMs + redeemedWindowMs }, nowMs);
    }
    return response;
  }

  /** The user's object first: isolates remember the facts of a token, and that object is where they ask about revocation. */
  async #revoke(key: string, revocation: Revocation): Promise<boolean> {
    if (this.#table.get(key, Date.now()) === null) return false;
    await this.env.ROOT.get(this.env.ROOT.idFromName(revocation.userId)).revoke(revocation);
    if (revocation.tokenId === undefined) this.#table.deletePrefix(`token:${revocation.userId}:${revocation.grantId}:`);
    return this.#table.delete(key, Date.now());
  }

  async #inTurn<T>(grantId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(grantId) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.#queues.set(grantId, settled);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(grantId) === settled) this.#queues.delete(grantId);
    }
  }
}

/** What deleting a key revokes: `grant:U:G` the grant, `token:U:G:T` one token. */
function revocationOf(key: string): Revocation | undefined {
  const [kind, userId, grantId, tokenId] = key.split(":");
  if (!userId || !grantId) return undefined;
  if (kind === "grant") return { userId: userId as UserId, grantId };
  if (kind === "token" && tokenId) return { userId: userId as UserId, grantId, tokenId };
  return undefined;
}

function alreadyRedeemed(): Response {
  return Response.json(
    { error: "invalid_grant", error_description: "This code or refresh token was redeemed a moment ago" },
    { status: 400, headers: { "Cache-Control": "no-store", Pragma: "no-cache" } },
  );
}

import { AuthorizationError } from "@cloudflare/workers-oauth-provider";
import type { Env } from "../env";
import type { AuthPage, AuthPutOptions } from "../storage/auth-table";

/** What one shard does, locally or over RPC. */
export interface AuthShard {
  kvGet(key: string): Promise<string | null>;
  kvPut(key: string, value: string, options: AuthPutOptions): Promise<void>;
  /** Whether a row was there. */
  kvDelete(key: string): Promise<boolean>;
  kvList(options: { prefix: string; cursor?: string; limit?: number }): Promise<AuthPage>;
}

interface KvPutOptions {
  expirationTtl?: number;
  expiration?: number;
  metadata?: unknown;
}

interface KvListOptions {
  prefix?: string;
  cursor?: string | null;
  limit?: number;
}

/** The part of KVNamespace that the OAuth provider uses. */
export interface AuthKv {
  get(key: string, options?: { type: "json" } | "text"): Promise<unknown>;
  put(key: string, value: string, options?: KvPutOptions): Promise<void>;
  delete(key: string): Promise<void>;
  list(options: KvListOptions): Promise<{
    keys: { name: string; expiration?: number; metadata?: unknown }[];
    list_complete: boolean;
    cursor?: string;
  }>;
}

export type AuthEnv = Env & { OAUTH_KV: AuthKv };

/** Inside an AuthStore: its own shard is served without a hop (and without waiting for its own lock). */
export interface LocalShard {
  readonly name: string;
  readonly shard: AuthShard;
}

/** The object that holds a key. A grant and its tokens lie together, so that one object can decide about them. */
export function shardOf(key: string): string {
  const [kind, owner] = key.split(":", 2);
  if ((kind === "grant" || kind === "token") && owner) return `user:${owner}`;
  if (kind === "client" || kind === "transaction") return key;
  return `misc:${key}`;
}

export function authKv(env: Env, local?: LocalShard): AuthKv {
  const shard = (name: string): AuthShard =>
    local?.name === name ? local.shard : (env.AUTH.get(env.AUTH.idFromName(name)) as unknown as AuthShard);

  return {
    async get(key, options) {
      const value = await shard(shardOf(key)).kvGet(key);
      return value !== null && typeof options === "object" ? (JSON.parse(value) as unknown) : value;
    },
    async put(key, value, options = {}) {
      const expiresAtMs = expiryOf(options, Date.now());
      await shard(shardOf(key)).kvPut(key, value, {
        ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
        ...(options.metadata === undefined ? {} : { metadata: JSON.stringify(options.metadata) }),
      });
    },
    async delete(key) {
      const found = await shard(shardOf(key)).kvDelete(key);
      if (!found && key.startsWith("transaction:")) {
        // The provider reads and then deletes; of two simultaneous posts of one form only the one that deletes goes on.
        throw new AuthorizationError("invalid_request", {
          description: "This authorization expired or was already used; start again",
        });
      }
    },
    async list({ prefix = "", cursor, limit }) {
      if (!/^(grant|token):[^:]+:/.test(prefix))
        throw new TypeError(`AuthStore lists the grants and tokens of one user only, not "${prefix}"`);
      const page = await shard(shardOf(prefix)).kvList({
        prefix,
        ...(cursor ? { cursor } : {}),
        ...(limit ? { limit } : {}),
      });
      return {
        keys: page.rows.map((row) => ({
          name: row.name,
          ...(row.expiresAtMs === undefined ? {} : { expiration: Math.floor(row.expiresAtMs / 1000) }),
          ...(row.metadata === undefined ? {} : { metadata: JSON.parse(row.metadata) as unknown }),
        })),
        list_complete: page.cursor === undefined,
        ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
      };
    },
  };
}

export function authEnv(env: Env, local?: LocalShard): AuthEnv {
  return { ...env, OAUTH_KV: authKv(env, local) };
}

function expiryOf(options: KvPutOptions, nowMs: number): number | undefined {
  if (options.expiration !== undefined) return options.expiration * 1000;
  if (options.expirationTtl !== undefined) return nowMs + options.expirationTtl * 1000;
  return undefined;
}

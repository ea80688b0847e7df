import type { Env } from "../env";

/** The object that keeps the key; the others of its class hold keys of the OAuth provider. */
const keeper = "links";
let known: Uint8Array | undefined;

/** The key of this deployment that signs single-use links. Random, kept by one object, and asked for once per isolate. */
export async function linkKey(env: Env): Promise<Uint8Array> {
  if (known !== undefined) return known;
  const hex = await env.AUTH.get(env.AUTH.idFromName(keeper)).linkKey();
  known = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return known;
}

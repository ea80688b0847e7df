import type { UserId } from "../domain/principal";
import type { Env } from "../env";

export type RootStub = ReturnType<Env["ROOT"]["get"]>;

/** To make an id of a name is a keyed hash, and the same users call again. */
const ids = new Map<UserId, DurableObjectId>();
const idsMax = 10_000;

/** The way to the user's object. */
export function rootOf({ ROOT }: Env, userId: UserId): RootStub {
  const known = ids.get(userId);
  if (known !== undefined) return ROOT.get(known);
  const id = ROOT.idFromName(userId);
  if (ids.size >= idsMax) ids.clear();
  ids.set(userId, id);
  return ROOT.get(id);
}

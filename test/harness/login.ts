// The real OAuth flow for tests; the steps are those of `npm run token`.
import { randomUUID } from "node:crypto";

export * from "../../scripts/oauth-flow.mjs";

/** A user name that no other test uses: the server and its storage are shared. */
export function freshUser(name = "user"): string {
  return `${name}-${randomUUID().slice(0, 8)}`;
}

import type { SessionFacts } from "../../root/contract";
import type { CallContext } from "../call-context";

/** Facts of sessions that this isolate has seen. They never change; that the session still lives, the user's object checks in every call. */
const seenSessions = new Map<string, SessionFacts>();
const seenSessionsMax = 1000;

type Holder = Pick<CallContext, "principal" | "sessionId">;

export async function sessionFacts(context: CallContext): Promise<SessionFacts> {
  const seen = recall(context);
  if (seen !== undefined) return seen;
  const facts = await context.ask((root, caller) => root.session(caller));
  if (seenSessions.size >= seenSessionsMax) seenSessions.delete(seenSessions.keys().next().value ?? "");
  seenSessions.set(keyOf(context), facts);
  return facts;
}

export function isSeenSession(holder: Holder): boolean {
  return recall(holder) !== undefined;
}

function recall(holder: Holder): SessionFacts | undefined {
  if (holder.sessionId === undefined) return undefined;
  const seen = seenSessions.get(keyOf(holder));
  return seen?.clientId === holder.principal.clientId ? seen : undefined;
}

function keyOf({ principal, sessionId }: Holder): string {
  return `${principal.userId}/${sessionId}`;
}

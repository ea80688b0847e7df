import type { ServerContext } from "@modelcontextprotocol/server";
import { type Caller, callerOf } from "../domain/caller";
import { signLink } from "../domain/link";
import { type MaybePacked, unpack } from "../domain/packed";
import type { Principal } from "../domain/principal";
import type { ScopeNeed } from "../domain/scopes";
import type { Env } from "../env";
import type { Refusal, Reply } from "../root/contract";
import { linkKey } from "../storage/link-key";
import { type RootStub, rootOf } from "../storage/root-stub";
import type { ScopeRefusal } from "./gate";
import type { NameForm } from "./registry";
import type { Family } from "./tool";

/** The user's object would not take the caller: becomes 401 or 404, never a JSON-RPC answer. */
export class RefusedByRoot extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal);
  }
}

/** A lookup showed what the token does not reach: becomes 403, never a JSON-RPC answer (snapshot.md §3.4). */
export class ForbiddenByLookup extends Error {
  constructor(readonly need: ScopeNeed) {
    super("forbidden");
  }
}

/** One HTTP request of one caller. Every hop to the user's object goes through `ask`, which carries the caller and notes the admission. */
export class CallContext {
  readonly root: RootStub;
  /** Set as soon as the object refused the caller. */
  refusal: Refusal | undefined;
  /** Set as soon as a lookup showed that a call of this request reaches too far. */
  forbidden: ScopeRefusal | undefined;
  private admission = false;
  /** Of the session (2025 era), as the object last said. */
  logLevel = "";
  nameForm: NameForm | undefined;

  constructor(
    private readonly env: Env,
    readonly principal: Principal,
    readonly origin: string,
    readonly families: ReadonlySet<Family>,
    readonly sessionId: string | undefined,
  ) {
    this.root = rootOf(env, principal.userId);
  }

  get caller(): Caller {
    const { principal, sessionId } = this;
    return sessionId === undefined ? callerOfToken(principal) : callerOf({ ...principal, sessionId });
  }

  /** The address of a ticket that the user's object has issued. */
  async linkTo(ticket: string): Promise<string> {
    const link = signLink(await linkKey(this.env), { userId: this.principal.userId, ticket });
    return `${this.origin}/links/${link}`;
  }

  async ask<T>(operation: (root: RootStub, caller: Caller) => PromiseLike<MaybePacked<Reply<T>>>): Promise<T> {
    const reply = unpack<Reply<T>>(await operation(this.root, this.caller));
    if (!reply.admitted) {
      this.refusal = reply.refusal;
      throw new RefusedByRoot(reply.refusal);
    }
    this.admission = true;
    if (reply.logLevel !== undefined) this.logLevel = reply.logLevel;
    return reply.value;
  }

  /** No answer leaves before the user's object has admitted the caller; an operation that asked it has done so in the same hop. */
  async ensureAdmitted(): Promise<boolean> {
    if (this.refusal !== undefined) return false;
    if (this.admission) return true;
    try {
      await this.ask((root, caller) => root.admit(caller));
      return true;
    } catch (error) {
      if (error instanceof RefusedByRoot) return false;
      throw error;
    }
  }
}

/** Tells the client how far a long call has come, when it asked to know. */
export async function reportProgress(
  server: ServerContext,
  progress: number,
  total?: number,
  message?: string,
): Promise<void> {
  const progressToken = server.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await server.mcpReq.notify({
    method: "notifications/progress",
    params: {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    },
  });
}

/** By the facts of tokens, which are kept and come again. */
const callers = new WeakMap<Principal, Caller>();

function callerOfToken(principal: Principal): Caller {
  const known = callers.get(principal);
  if (known !== undefined) return known;
  const caller = callerOf(principal);
  callers.set(principal, caller);
  return caller;
}

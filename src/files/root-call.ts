import type { Caller } from "../domain/caller";
import type { Reply } from "../root/contract";
import type { RootStub } from "../storage/root-stub";

/** The user's object refused the caller: becomes 401, or for a link 404. */
export class Revoked extends Error {}

/** One caller's way to the user's object, which checks in every call that the token still holds. */
export class RootCall {
  private admission = false;

  constructor(
    private readonly root: RootStub,
    private readonly caller: Caller,
  ) {}

  async ask<T>(operation: (root: RootStub, caller: Caller) => PromiseLike<Reply<T>>): Promise<T> {
    const reply = await operation(this.root, this.caller);
    if (!reply.admitted) throw new Revoked(reply.refusal);
    this.admission = true;
    return reply.value;
  }

  /** Also a refusal leaves only to a token that still holds. */
  async ensureAdmitted(): Promise<void> {
    if (!this.admission) await this.ask((root, caller) => root.admit(caller));
  }
}

import { logFault } from "./log-fault";

/** Work that is done behind the back of requests. */
export interface Chore {
  run(nowMs: number): void | Promise<void>;
  /** When there will be something to do; null: never, as things stand. */
  nextDueMs(): number | null;
}

/** Chores come no closer to each other than this. */
const stepMs = 1000;
/** After a failure, such as object storage that does not answer. */
const retryMs = 60_000;

/** The one alarm of a Durable Object, shared by all chores. */
export class AlarmClock {
  /** Undefined until asked for. */
  private setForMs: number | null | undefined;

  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly chores: readonly Chore[],
  ) {}

  /** Makes sure that the alarm rings at `dueMs` or before. Costs nothing when it is set for earlier. */
  async ringBy(dueMs: number | null): Promise<void> {
    if (dueMs === null) return;
    if (this.setForMs === undefined) {
      const setForMs = await this.storage.getAlarm();
      // Another call may have set it while this one asked.
      if (this.setForMs === undefined) this.setForMs = setForMs;
    }
    if (this.setForMs !== null && this.setForMs <= dueMs) return;
    this.setForMs = dueMs;
    try {
      await this.storage.setAlarm(dueMs);
    } catch (error) {
      this.setForMs = undefined;
      throw error;
    }
  }

  async ring(nowMs: number): Promise<void> {
    this.setForMs = null;
    let failed = false;
    for (const chore of this.chores) {
      try {
        await chore.run(nowMs);
      } catch (error) {
        failed = true;
        logFault(chore.constructor.name, error);
      }
    }
    const due = this.chores.map((chore) => chore.nextDueMs()).filter((ms) => ms !== null);
    if (due.length === 0) return;
    // The chores know of everything that was asked for meanwhile: it may have been done already.
    this.setForMs = null;
    await this.ringBy(Math.max(Math.min(...due), nowMs + (failed ? retryMs : stepMs)));
  }
}

export class StateInUse extends Error {}

export interface StateFacts {
  /** The command that uses the state. */
  readonly what: string;
  readonly port?: number;
}

export function lockState(state: string, facts: StateFacts): Promise<{ add(pids: readonly number[]): void }>;

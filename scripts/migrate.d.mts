export function migrate(state: string): Promise<void>;

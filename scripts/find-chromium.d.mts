export function findChromium(env?: Record<string, string | undefined>): string | undefined;
export function ensureChromium(say: (message: string) => void): { path: string } | { reason: string };

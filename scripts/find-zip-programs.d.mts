export function missingZipPrograms(env?: Record<string, string | undefined>): string[];
export function ensureZipPrograms(say: (message: string) => void): { reason?: string };

const unitMs: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d|w)/y;
const lengthMax = 100;

/** `24h`, `7d`, `1d12h`, `1.5h` in milliseconds; null for anything else, and for nothing at all (zipfs.md §7). */
export function parseDuration(text: string): number | null {
  if (text === "" || text.length > lengthMax) return null;
  let total = 0;
  part.lastIndex = 0;
  for (let at = 0; at < text.length; at = part.lastIndex) {
    const found = part.exec(text);
    if (found === null) return null;
    total += Number(found[1]) * (unitMs[found[2] ?? ""] ?? Number.NaN);
  }
  return total > 0 && Number.isFinite(total) ? total : null;
}

/** `stale (3d)`: whole days, else hours, else minutes. */
export function staleReason(idleMs: number): string {
  for (const unit of ["d", "h"] as const) {
    const count = Math.floor(idleMs / (unitMs[unit] ?? 1));
    if (count >= 1) return `stale (${count}${unit})`;
  }
  return `stale (${Math.floor(idleMs / 60_000)}m)`;
}

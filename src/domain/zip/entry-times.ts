import { extraIds, findExtra } from "./extra-fields";

/** The time of an entry in milliseconds: the extended timestamp, else the DOS time read as UTC; null if neither says one (zipfs.md §3.5). */
export function entryTimeMs(dosDate: number, dosTime: number, extra: Uint8Array): number | null {
  const timestamp = findExtra(extra, extraIds.timestamp);
  if (timestamp !== null && timestamp.length >= 5 && ((timestamp[0] as number) & 1) === 1) {
    const seconds = new DataView(timestamp.buffer, timestamp.byteOffset).getInt32(1, true);
    return seconds === 0 ? null : seconds * 1000;
  }
  return dosTimeMs(dosDate, dosTime);
}

function dosTimeMs(date: number, time: number): number | null {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  const [hour, minute, second] = [time >> 11, (time >> 5) & 63, (time & 31) * 2];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const made = new Date(ms);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day && day > 0 ? ms : null;
}

const earliestMs = Date.UTC(1980, 0, 1);
const latestMs = Date.UTC(2107, 11, 31, 23, 59, 58);

/** The DOS date and time of a moment in UTC, clamped to what they can say; odd seconds are cut. */
export function dosTimeOf(ms: number): { readonly dosDate: number; readonly dosTime: number } {
  const moment = new Date(Math.min(Math.max(ms, earliestMs), latestMs));
  return {
    dosDate: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
    dosTime: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
  };
}

/** `YYYY-MM-DDTHH:MM:SSZ`. */
export function utcSeconds(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

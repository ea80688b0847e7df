import { vi } from "vitest";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Ahead of any real clock, so that the runtime rings no alarm of its own accord: alarms ring when a test says so. */
const beginningMs = Date.UTC(2100, 0, 1);

/** The time that objects see: they run in the isolate of the test. It stands still until it is moved. */
export const clock = {
  reset(): void {
    vi.setSystemTime(beginningMs);
  },
  advance(ms: number): void {
    vi.setSystemTime(Date.now() + ms);
  },
};

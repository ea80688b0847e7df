/** Told now and then how far a long call has come. */
export type Progress = (done: number, total: number) => void | Promise<void>;

/** Not every entry is worth a message. */
const stepsMax = 50;

/**
 * Passes on at most a few dozen steps. Each is waited for, so that none comes after the answer, when nobody listens any more. A listener
 * that is gone stops nothing.
 */
export function sparse(progress: Progress | null): (done: number, total: number) => void | Promise<void> {
  let told = 0;
  return (done, total) => {
    if (progress === null || (done < total && done - told < total / stepsMax)) return;
    told = done;
    return tell(progress, done, total);
  };
}

async function tell(progress: Progress, done: number, total: number): Promise<void> {
  try {
    await progress(done, total);
  } catch {
    // The work goes on without it.
  }
}

/** Told now and then how far a long call has come. */
export type Progress = (done: number, total: number) => void | Promise<void>;

/** Not every entry is worth a message. */
const stepsMax = 50;

/** Passes on at most a few dozen steps. A listener that is gone stops nothing. */
export function sparse(progress: Progress | null): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    if (progress === null || (done < total && done - told < total / stepsMax)) return;
    told = done;
    void Promise.resolve(progress(done, total)).catch(() => undefined);
  };
}

import { counts, seed } from "../../counts";
import { interfering, type StorageCall } from "../interference";
import type { TestRoot } from "../root";

/** The names of the storage calls that the work makes, in their order. */
export async function callsOf(root: TestRoot, work: (inside: TestRoot) => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  await interfering(
    root.id,
    ({ name, moment }) => {
      if (moment === "before") names.push(name);
    },
    () => attempted(root, work),
  );
  return names;
}

/** Every way in which one of the calls can fail. A query has no effect that it could fail after. */
export function* everyFault(names: readonly string[]): Generator<StorageCall> {
  for (const [index, name] of names.entries()) {
    yield { index, name, moment: "before" };
    if (!/^(exec|D1) SELECT/.test(name)) yield { index, name, moment: "after" };
  }
}

/**
 * All of them in a deep run. Otherwise those around object storage, the database and the bounds of transactions, and some of the rest, which
 * differ with the seed.
 */
export function chosenFaults(names: readonly string[]): StorageCall[] {
  const faults = [...everyFault(names)];
  if (counts.deep) return faults;
  const offset = seed % counts.faultStride;
  return faults.filter(({ name }, at) => /^(R2|D1|transaction)/.test(name) || at % counts.faultStride === offset);
}

/** Does the work while that one call fails; gives what it returned or threw. */
export async function withFault<T>(
  root: TestRoot,
  fault: StorageCall,
  work: (inside: TestRoot) => Promise<T>,
): Promise<T | Error> {
  let failed = "";
  const outcome = await interfering(
    root.id,
    ({ index, name, moment }) => {
      if (index !== fault.index || moment !== fault.moment) return;
      failed = name;
      throw new Error(`injected ${moment} ${name}`);
    },
    () => attempted(root, work),
  );
  if (failed !== fault.name) throw new Error(`call ${fault.index} was ${failed || "not made"}, not ${fault.name}`);
  return outcome;
}

/** Also what is not waited for, such as the alarm, is done before this ends. */
async function attempted<T>(root: TestRoot, work: (inside: TestRoot) => Promise<T>): Promise<T | Error> {
  const outcome = await root.attempt(work);
  await root.attempt(async () => {});
  return outcome;
}

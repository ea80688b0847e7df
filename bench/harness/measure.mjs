// Times and what is said of them. A figure is the median of the rounds; the spread is the least and the most.

/** Milliseconds of one call. */
export async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
}

/** Runs `work` untimed for warm-up and then in rounds; `before` prepares each round, untimed. */
export async function inRounds(work, { rounds = 5, warmUps = 1, before = async () => {} } = {}) {
  const times = [];
  for (let round = -warmUps; round < rounds; round++) {
    const prepared = await before(round);
    const { ms } = await timed(() => work(prepared, round));
    if (round >= 0) times.push(ms);
  }
  return spread(times);
}

export function spread(values) {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values), rounds: values.length };
}

export function median(values) {
  return percentile(values, 50);
}

export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  if (percent === 50 && sorted.length % 2 === 0) {
    return (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
  }
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
}

/** Several agents at once, each repeating `step` until `count` steps were taken in all. */
export async function together(agents, count, step) {
  let taken = 0;
  await Promise.all(
    agents.map(async (agent, index) => {
      while (taken < count) {
        taken += 1;
        await step(agent, index, taken);
      }
    }),
  );
}

/**
 * Contenders in turn, round by round, so that a busy moment of the machine hits all of them alike.
 * Each gives its own figure for a round: milliseconds, or whatever it measures.
 */
export async function sideBySide(contenders, { rounds = 5, warmUps = 1 } = {}) {
  const values = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, measure] of Object.entries(contenders)) {
      const value = await measure(round);
      if (round >= 0) values[name].push(value);
    }
  }
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, spread(list)]));
}

/** The median time of `count` calls, one after the other. */
export async function medianOf(count, call) {
  const times = [];
  for (let index = 0; index < count; index++) times.push((await timed(() => call(index))).ms);
  return median(times);
}

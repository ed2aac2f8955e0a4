/** Percentiles of a series of timings, ms. */
export interface Timing {
  readonly p50: number;
  readonly p99: number;
}

function timingOf(durations: readonly number[]): Timing {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Runs `work` so often, one after the other, and sorts the times. The first tenth warms up and is not counted. */
export async function timeEach(times: number, work: (index: number) => unknown): Promise<Timing> {
  const durations: number[] = [];
  const warmUp = Math.ceil(times / 10);
  for (let index = 0; index < times + warmUp; index += 1) {
    const start = performance.now();
    await work(index);
    if (index >= warmUp) durations.push(performance.now() - start);
  }
  return timingOf(durations);
}

/** As {@link timeEach}, in processor time of the whole process: what a busy machine does meanwhile does not count. */
export async function timeProcessor(
  times: number,
  work: (index: number) => unknown,
): Promise<Timing> {
  const durations: number[] = [];
  const warmUp = Math.ceil(times / 10);
  for (let index = 0; index < times + warmUp; index += 1) {
    const start = process.cpuUsage();
    await work(index);
    const { user, system } = process.cpuUsage(start);
    if (index >= warmUp) durations.push((user + system) / 1000);
  }
  return timingOf(durations);
}

/** Times several works in turn, so that the moods of the disk meet all of them alike. */
export async function timeInTurn<Name extends string>(
  times: number,
  works: Readonly<Record<Name, (index: number) => unknown>>,
): Promise<Record<Name, Timing>> {
  const names = Object.keys(works) as Name[];
  const durations = new Map<Name, number[]>(names.map((name) => [name, []]));
  const warmUp = Math.ceil(times / 10);
  for (let index = 0; index < times + warmUp; index += 1) {
    for (const name of names) {
      const start = performance.now();
      await works[name](index);
      if (index >= warmUp) durations.get(name)?.push(performance.now() - start);
    }
  }
  const timings = names.map((name) => [name, timingOf(durations.get(name) ?? [])]);
  return Object.fromEntries(timings) as Record<Name, Timing>;
}

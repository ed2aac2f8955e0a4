/** Percentiles of a series of timings, ms. */
export interface Timing {
  readonly p50: number;
  readonly p99: number;
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
  durations.sort((a, b) => a - b);
  const at = (share: number): number => durations[Math.floor(share * (durations.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
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
  const timingOf = (name: Name): Timing => {
    const sorted = [...(durations.get(name) ?? [])].sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { p50: at(0.5), p99: at(0.99) };
  };
  return Object.fromEntries(names.map((name) => [name, timingOf(name)])) as Record<Name, Timing>;
}

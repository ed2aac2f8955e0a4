/** What happens to the steps of a scan on their way through a layer. */
export interface ScanMapping<From, To> {
  readonly map: (value: From) => To;
  /** Makes the error that is thrown out of one of the source. Default: that one. */
  readonly fail?: (error: unknown) => unknown;
}

/** A scan that may give all that it has at once. */
export interface CollectableScan<T> extends AsyncIterable<T> {
  readonly all?: <U>(map: (one: T) => U) => Promise<U[]>;
}

/** Everything that a scan gives, each mapped as it comes. Holds what `map` gives alone. */
export async function collectMapped<T, U>(
  scan: CollectableScan<T>,
  map: (one: T) => U,
): Promise<U[]> {
  if (scan.all !== undefined) return scan.all(map);
  const found: U[] = [];
  for await (const one of scan) found.push(map(one));
  return found;
}

/** Everything that a scan gives. */
export function collectScan<T>(scan: CollectableScan<T>): Promise<T[]> {
  return collectMapped(scan, (one) => one);
}

/** Everything that a scan gives, mapped; `failed` is given what the scan throws, not what `map` throws. */
async function collectOr<T, U>(
  open: () => CollectableScan<T>,
  map: (one: T) => U,
  failed: (error: unknown) => never,
): Promise<U[]> {
  const mapping = { isOn: false };
  try {
    return await collectMapped(open(), (one) => {
      mapping.isOn = true;
      const mapped = map(one);
      mapping.isOn = false;
      return mapped;
    });
  } catch (error) {
    if (mapping.isOn) throw error;
    return failed(error);
  }
}

const ended = { done: true, value: undefined } as const;

/**
 * A scan whose records are those of another one, mapped. `open` begins that one, at the first step and not before.
 * Breaking off ends the source, and so does a record that cannot be mapped.
 * Costs one turn of the job queue a step, where a generator over another one takes several: scans pass several layers.
 */
export function mapScan<From, To>(
  open: () => CollectableScan<From>,
  { map, fail = (error) => error }: ScanMapping<From, To>,
): CollectableScan<To> {
  const failed = (error: unknown): never => {
    throw fail(error);
  };
  const iterate = (): AsyncIterator<To> => {
    let source: AsyncIterator<From> | undefined;
    let isEnded = false;
    const breakOff = async (error: unknown): Promise<never> => {
      await source?.return?.();
      throw error;
    };
    const taken = (step: IteratorResult<From>): IteratorResult<To> | Promise<never> => {
      if (step.done === true) return ended;
      try {
        return { done: false, value: map(step.value) };
      } catch (error) {
        return breakOff(error);
      }
    };
    const begin = async (): Promise<IteratorResult<To>> => {
      source = open()[Symbol.asyncIterator]();
      return source.next().then(taken, failed);
    };
    return {
      next: () => {
        if (isEnded) return Promise.resolve(ended);
        return source === undefined ? begin() : source.next().then(taken, failed);
      },
      return: async () => {
        isEnded = true;
        await source?.return?.();
        return ended;
      },
    };
  };
  const all = <U>(next: (value: To) => U): Promise<U[]> =>
    collectOr(open, (one) => next(map(one)), failed);
  return { [Symbol.asyncIterator]: iterate, all };
}

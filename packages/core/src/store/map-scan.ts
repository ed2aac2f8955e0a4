/** What happens to the steps of a scan on their way through a layer. */
export interface ScanMapping<From, To> {
  readonly map: (value: From) => To;
  /** Makes the error that is thrown out of one of the source. Default: that one. */
  readonly fail?: (error: unknown) => unknown;
}

/**
 * A scan whose records are those of another one, mapped. `open` begins that one, at the first step and not before.
 * Contract: breaking off ends the source.
 * Cost: one turn of the job queue a step, where a generator that goes over another one takes three: scans pass several layers.
 */
export function mapScan<From, To>(
  open: () => AsyncIterable<From>,
  { map, fail = (error) => error }: ScanMapping<From, To>,
): AsyncIterable<To> {
  const failed = (error: unknown): never => {
    throw fail(error);
  };
  const mapped = (step: IteratorResult<From>): IteratorResult<To> =>
    step.done === true ? { done: true, value: undefined } : { done: false, value: map(step.value) };
  const iterate = (): AsyncIterator<To> => {
    let source: AsyncIterator<From> | undefined;
    let isEnded = false;
    return {
      next: async () => {
        if (isEnded) return { done: true, value: undefined };
        source ??= open()[Symbol.asyncIterator]();
        return source.next().then(mapped, failed);
      },
      return: async () => {
        isEnded = true;
        await source?.return?.();
        return { done: true, value: undefined };
      },
    };
  };
  return { [Symbol.asyncIterator]: iterate };
}

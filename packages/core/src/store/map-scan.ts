/** What happens to the steps of a scan on their way through a layer. */
export interface ScanMapping<From, To> {
  readonly map: (value: From) => To;
  /** Makes the error that is thrown out of one of the source. Default: that one. */
  readonly fail?: (error: unknown) => unknown;
}

/**
 * A scan whose records are those of another one, mapped. `open` begins that one, at the first step and not before.
 * Contract: breaking off ends the source, and so does a record that cannot be mapped.
 * Cost: fewer turns of the job queue a step than a generator that goes over another one takes: scans pass several layers.
 */
export function mapScan<From, To>(
  open: () => AsyncIterable<From>,
  { map, fail = (error) => error }: ScanMapping<From, To>,
): AsyncIterable<To> {
  const failed = (error: unknown): never => {
    throw fail(error);
  };
  const mapped = async (source: AsyncIterator<From>, value: From): Promise<IteratorResult<To>> => {
    try {
      return { done: false, value: map(value) };
    } catch (error) {
      await source.return?.();
      throw error;
    }
  };
  const iterate = (): AsyncIterator<To> => {
    let source: AsyncIterator<From> | undefined;
    let isEnded = false;
    return {
      next: async () => {
        if (isEnded) return { done: true, value: undefined };
        const from = (source ??= open()[Symbol.asyncIterator]());
        const step = await from.next().catch(failed);
        return step.done === true ? { done: true, value: undefined } : mapped(from, step.value);
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

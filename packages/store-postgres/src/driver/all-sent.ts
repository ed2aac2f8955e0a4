import { stateOf } from './postgres-errors.ts';

/** What the server says of every statement after one that failed: that one tells why. */
const aborted = '25P02';

/**
 * Waits for statements that were sent together, in their order. Throws what the first one that failed by itself threw, whichever error
 * arrives first here: the error of a statement may pass more hands on its way than that of the ones after it.
 */
export async function allSent(sent: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const settled = await Promise.allSettled(sent.filter((one) => one !== undefined));
  const errors = settled.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  if (errors.length === 0) return;
  throw errors.find((error) => stateOf(error) !== aborted) ?? errors[0];
}

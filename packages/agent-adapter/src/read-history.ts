import { isSameValue } from './context-manager/same-message.ts';
import type { ReadOnce } from './read-once.ts';

/** Reads the list that a host hands in again and again, longer each time. */
export interface ReadHistory<Given extends object, Read> {
  (given: readonly Given[]): readonly Read[];
}

/**
 * Reads each object of a list once, also where the host makes its objects anew for each request: what says the same at the same place as the
 * last time is not read again. Contract: as that of `read`. Cost: what is new; for what is known a look at its members, without its texts
 * where both hold the same string. Keeps the objects of the last list in memory.
 */
export function readHistory<Given extends object, Read>(
  read: ReadOnce<Given, Read>,
): ReadHistory<Given, Read> {
  let last: readonly Given[] = [];
  return (given) => {
    const known = given.map((each, place) => {
      const before = last[place];
      return before !== undefined && isSameValue(before, each) ? before : each;
    });
    last = known;
    return known.map(read);
  };
}

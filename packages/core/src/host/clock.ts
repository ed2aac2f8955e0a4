/** Returns the current time, ms since the epoch. Handed in wherever time matters, so that a test can set it. */
export type Clock = () => number;

/** Returns `Date.now()`. */
export const systemClock: Clock = () => Date.now();

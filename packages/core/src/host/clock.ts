/** Gives the present moment, ms since the epoch. Handed in wherever time matters, so that a test can set it. */
export type Clock = () => number;

/** The clock of the machine. */
export const systemClock: Clock = () => Date.now();

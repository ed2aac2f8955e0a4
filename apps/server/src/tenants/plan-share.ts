/** How many calls are admitted in a window, of all processes together. */
export interface BudgetLimit {
  /** Calls a window. */
  readonly limit: number;
  /** Length of a window, ms. */
  readonly windowMs: number;
  /** Calls that each process admits without a look at the store. Default: a two-hundredth of the limit; all of it: a limit of each process alone. */
  readonly free?: number;
}

/** A process may admit so many before it asks the store, as a part of the limit. */
const freePart = 0.005;
/** Nobody takes more than this part of what is left at once. */
const mostPart = 1 / 8;
/** Nor less than this part of the limit, so that the end of a window is not one write a call. */
const leastPart = 0.002;

/**
 * Calls that one process admits without a look at the store: rare callers never cost a write. None where the limit is low.
 * What all processes admit in a window is at most the limit, and twice this for each of them: its own window may have begun
 * at another moment.
 */
export function freeCalls({ limit, free = Math.floor(limit * freePart) }: BudgetLimit): number {
  return Math.min(limit, free);
}

/**
 * How many calls a process takes for itself at once, of those that are left for all. It grows with what the process has admitted, so
 * that one with little to do keeps little from the others. 0 where nothing is left.
 */
export function shareOf(
  { limit }: BudgetLimit,
  { left, admitted }: { readonly left: number; readonly admitted: number },
): number {
  if (left <= 0) return 0;
  const wanted = Math.min(admitted, Math.floor(left * mostPart));
  return Math.min(left, Math.max(wanted, Math.ceil(limit * leastPart), 1));
}

import type { Message } from '@ctx/core';

const grown = new WeakSet<readonly Message[]>();

/**
 * Notes that nothing but new messages at the end ever changes a list: where it comes again, what it had is not compared.
 * The one who made the list keeps that.
 */
export function onlyGrows(list: readonly Message[]): void {
  grown.add(list);
}

/** Whether that was noted of a list. */
export function isKnownToGrow(list: readonly Message[]): boolean {
  return grown.has(list);
}

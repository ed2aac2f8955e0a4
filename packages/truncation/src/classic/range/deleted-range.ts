import { CtxError } from '@ctx/core';

/** Messages that left the view: both ends inclusive, as indices into the full list. */
export interface DeletedRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Makes a checked range; the result is frozen.
 * Never empty, never negative; "nothing left" is `undefined`, not a range.
 * @throws `CTX_INVALID_INPUT`.
 */
export function deletedRange(start: number, end: number): DeletedRange {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `a deleted range must be whole numbers, 0 ≤ start ≤ end, got ${String(start)} and ${String(end)}`,
    );
  }
  return Object.freeze({ start, end });
}

/** How many messages a range holds. */
export function sizeOfRange(range: DeletedRange | undefined): number {
  return range === undefined ? 0 : range.end - range.start + 1;
}

/** Whether a message is one of those that left. */
export function isDeleted(range: DeletedRange | undefined, messageIndex: number): boolean {
  return range !== undefined && messageIndex >= range.start && messageIndex <= range.end;
}

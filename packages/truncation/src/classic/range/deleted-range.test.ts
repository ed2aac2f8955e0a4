import { isCtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { deletedRange, isDeleted, sizeOfRange } from './deleted-range.ts';

describe('deletedRange', () => {
  it.each([
    [2, 1],
    [-1, 3],
    [2.5, 3],
    [2, Number.NaN],
    [2, Number.POSITIVE_INFINITY],
  ])('refuses %d to %d: empty, negative and broken ranges do not exist', (start, end) => {
    try {
      deletedRange(start, end);
      expect.unreachable();
    } catch (error) {
      expect(isCtxError(error, 'CTX_INVALID_INPUT')).toBe(true);
    }
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(deletedRange(2, 5))).toBe(true);
  });

  it('counts both ends', () => {
    const range = deletedRange(2, 5);
    expect(sizeOfRange(range)).toBe(4);
    expect([1, 2, 5, 6].map((index) => isDeleted(range, index))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(sizeOfRange(undefined)).toBe(0);
    expect(isDeleted(undefined, 2)).toBe(false);
  });
});

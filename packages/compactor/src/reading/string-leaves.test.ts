import { expect, test } from 'vitest';
import { stringLeaves } from './string-leaves.ts';

test('texts are found at any depth, in order, without their names', () => {
  const input = { a: 'one', b: [{ c: 'two' }, 3, null], d: { e: { f: 'three\nlines' } } };
  expect(stringLeaves(input)).toEqual(['one', 'two', 'three\nlines']);
  expect(stringLeaves('bare')).toEqual(['bare']);
});

test('cycles, traps and depth end', () => {
  const cycle: Record<string, unknown> = { text: 'x' };
  cycle['self'] = cycle;
  expect(stringLeaves(cycle)).toContain('x');
  const trap = Object.defineProperty({}, 'a', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  expect(stringLeaves([trap, 'y'])).toEqual(['y']);
});

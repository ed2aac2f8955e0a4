import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomIds, sequenceIds } from './ids.ts';

test('random ids are URL-safe, do not look like an option and never repeat', () => {
  const next = randomIds();
  const ids = Array.from({ length: 5_000 }, (_, at) => next(at % 2 === 0 ? undefined : 1.8e12));
  expect(new Set(ids).size).toBe(5_000);
  expect(ids.every((id) => /^[A-Za-z0-9_][A-Za-z0-9_-]{19}$/.test(id))).toBe(true);
});

test('random ids use every sign of the alphabet', () => {
  const next = randomIds();
  const signs = new Set(Array.from({ length: 2_000 }, () => next()).join(''));
  expect(signs.size).toBe(64);
});

test('ids of a moment rise with it, as stores sort them', () => {
  const next = randomIds();
  const moment = fc.integer({ min: 0, max: 63 * 2 ** 36 - 1 });
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)];
      expect(next(earlier) < next(later) || earlier === later).toBe(true);
    }),
  );
});

test('a moment that no clock tells gives an id like any other', () => {
  const next = randomIds();
  for (const moment of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300])
    expect(next(moment)).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{19}$/);
});

test('sequence ids count from 1, each source for itself', () => {
  const next = sequenceIds('output-');
  expect([next(), next(), sequenceIds()()]).toEqual(['output-1', 'output-2', 'id1']);
});

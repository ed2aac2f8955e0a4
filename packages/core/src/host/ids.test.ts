import { expect, test } from 'vitest';
import { randomIds, sequenceIds } from './ids.ts';

test('random ids are URL-safe, do not look like an option and never repeat', () => {
  const next = randomIds();
  const ids = Array.from({ length: 5_000 }, () => next());
  expect(new Set(ids).size).toBe(5_000);
  expect(ids.every((id) => /^[A-Za-z0-9_][A-Za-z0-9_-]{19}$/.test(id))).toBe(true);
});

test('random ids use every sign of the alphabet', () => {
  const next = randomIds();
  const signs = new Set(Array.from({ length: 2_000 }, () => next()).join(''));
  expect(signs.size).toBe(64);
});

test('sequence ids count from 1, each source for itself', () => {
  const next = sequenceIds('output-');
  expect([next(), next(), sequenceIds()()]).toEqual(['output-1', 'output-2', 'id1']);
});

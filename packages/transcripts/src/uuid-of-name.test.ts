import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uuidOfName } from './uuid-of-name.ts';

test('every name gives an id in the form of a UUID of version 4', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(uuidOfName(name)).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/,
      );
    }),
  );
});

test('equal names give equal ids, and others do not', () => {
  expect(uuidOfName('session one')).toBe(uuidOfName('session one'));
  const ids = Array.from({ length: 1_000 }, (_, at) => uuidOfName(`session ${String(at)}`));
  expect(new Set(ids).size).toBe(1_000);
});

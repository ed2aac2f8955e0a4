import fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentText } from './item-entry.ts';

test('a moment is written as toISOString writes it, whichever day came before', () => {
  const near = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 3) });
  const any = fc.integer({ min: -8.64e15 + 86_400_000, max: 8.64e15 - 86_400_000 });
  fc.assert(
    fc.property(fc.array(fc.oneof(near, any), { maxLength: 6 }), (moments) => {
      expect(moments.map(momentText)).toEqual(moments.map((at) => new Date(at).toISOString()));
    }),
    { numRuns: 500 },
  );
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { halvesOf } from './treemap.tsx';

const areas = fc.array(fc.tuple(fc.string(), fc.integer({ min: 1, max: 9000 })), { minLength: 2 });

it('each area is in one of the halves, neither is empty, and the first is no larger than it has to be', () => {
  fc.assert(
    fc.property(areas, (given) => {
      const [first, second] = halvesOf(given);
      expect([...first, ...second]).toEqual(given);
      expect(Math.min(first.length, second.length)).toBeGreaterThan(0);
      const sum = (all: readonly (readonly [string, number])[]): number =>
        all.reduce((total, [, value]) => total + value, 0);
      if (first.length > 1) expect(sum(first.slice(0, -1))).toBeLessThan(sum(given) / 2);
    }),
  );
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { roundOver } from './timeline-chart.tsx';

it('the top of a chart is a round number that nothing stands over', () => {
  expect([1, 56_000, 57_120, 46_525].map(roundOver)).toEqual([1, 60_000, 60_000, 50_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), (value) => {
      const top = roundOver(value);
      expect(top).toBeGreaterThanOrEqual(value);
      expect(top).toBeLessThanOrEqual(2 * value);
    }),
  );
});

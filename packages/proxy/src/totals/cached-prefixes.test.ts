import { cachePriceOf, createCostModel } from '@ctx/truncation';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCachedPrefixes } from './cached-prefixes.ts';

const request = fc.record({
  ids: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
  pause: fc.constantFrom(0, 60_000, 200_000, 300_000, 300_001, 900_000),
});

it('says of any requests what the model of the cache says that keeps all of them', () => {
  const price = { ...cachePriceOf('anthropic-5m'), minimumTokens: 0, granularity: 1 };
  fc.assert(
    fc.property(fc.array(request, { maxLength: 14 }), (requests) => {
      const model = createCostModel(price);
      const aliveIn = createCachedPrefixes(price.lifetimeMs);
      let time = 1e12;
      for (const { ids, pause } of requests) {
        time += pause;
        const blocks = ids.map((id) => ({ id, tokens: 100 + id }));
        const segments = blocks.map(({ id, tokens }) => ({ id: String(id), tokens }));
        const cost = model.add({ lane: 'one', time, segments, outputTokens: 0 });
        const length = cost.inputTokens;
        const alive = aliveIn(blocks, time);
        expect(model.inputUte({ length, alive })).toBe(cost.inputUte);
      }
    }),
    { numRuns: 2000 },
  );
});

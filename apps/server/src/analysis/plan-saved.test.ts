import { expect, it } from 'vitest';
import { priceOfModel } from './model-prices.ts';
import { planSaved } from './plan-cost.ts';
import type { Analysed } from './read-analysed.ts';

/** So many tokens come with each message. */
const each = 500;

function session(sent: readonly (readonly [at: number, tokens: number, cached: number])[]) {
  const sizes = { limitTokens: 9_000, windowTokens: 10_000 };
  const segments = Array.from({ length: sent.length * 2 }, (_, message) => ({
    ...{ segment: message, message, kind: 'user' as const, form: 'whole' as const },
    ...{ givenTokens: each, tokens: each, why: '', pointer: '' },
  }));
  const requests = sent.map(([at, tokens, predictedTokens], index) => ({
    ...{ number: index + 1, sequence: index, messages: (index + 1) * 2, at },
    ...{ tokens, predictedTokens, ...sizes },
  }));
  const view = { segments, tokens: 0, fixedTokens: 200, ...sizes };
  return { requests, view, blocks: [] } satisfies Analysed;
}

const { price } = priceOfModel(undefined);
const dollars = (read: number, written: number): number =>
  ((read * price.read + written * price.write) * price.dollarsPerMillion) / 1e6;

it('nothing is saved where every request carries everything', () => {
  const sent = [
    [1000, 1200, 0],
    [2000, 2200, 1200],
    [3000, 3200, 2200],
  ] as const;
  expect(planSaved(session(sent))).toBeCloseTo(0, 12);
});

it('what left is saved at the price of the cache, and written again costs more', () => {
  const sent = [
    [1000, 1200, 0],
    [2000, 2200, 1200],
    [3000, 2000, 700],
  ] as const;
  // Everything would be 3,200 tokens, 2,200 of them from the cache.
  const saved = dollars(2200, 1000) - dollars(700, 1300);
  expect(planSaved(session(sent))).toBeCloseTo(saved, 12);
});

it('after a pause of more than five minutes everything would be written again', () => {
  const sent = [
    [1000, 1200, 0],
    [400_000, 700, 0],
  ] as const;
  const saved = dollars(0, 2200) - dollars(0, 700);
  expect(planSaved(session(sent))).toBeCloseTo(saved, 12);
});

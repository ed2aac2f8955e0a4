import { priceOfModel } from '@ctx/proxy';
import { expect, it } from 'vitest';
import { planSaved, reportedScale } from './plan-cost.ts';
import type { Analysed } from './read-analysed.ts';

/** So many tokens come with each message. */
const each = 5000;

function session(sent: readonly (readonly [at: number, tokens: number, cached: number])[]) {
  const sizes = { limitTokens: 90_000, windowTokens: 100_000 };
  const segments = Array.from({ length: sent.length * 2 }, (_, message) => ({
    ...{ segment: message, message, kind: 'user' as const, form: 'whole' as const },
    ...{ givenTokens: each, tokens: each, why: '', pointer: '' },
  }));
  const requests = sent.map(([at, tokens, predictedTokens], index) => ({
    ...{ number: index + 1, sequence: index, messages: (index + 1) * 2, at },
    ...{ tokens, predictedTokens, ...sizes },
  }));
  const view = { segments, scale: 1, tokens: 0, fixedTokens: 2_000, ...sizes };
  return { requests, view, blocks: [] } satisfies Analysed;
}

const { price } = priceOfModel(undefined);
const dollars = (read: number, written: number): number =>
  ((read * price.read + written * price.write) * price.dollarsPerMillion) / 1e6;

it('nothing is saved where every request carries everything', () => {
  const sent = [
    [1000, 12000, 0],
    [2000, 22000, 12000],
    [3000, 32000, 22000],
  ] as const;
  expect(planSaved(session(sent))).toBeCloseTo(0, 12);
});

it('what left is saved at the price of the cache, and written again costs more', () => {
  const sent = [
    [1000, 12000, 0],
    [2000, 22000, 12000],
    [3000, 20000, 7000],
  ] as const;
  // Everything would be 32,000 tokens, 22,000 of them from the cache.
  const saved = dollars(22000, 10000) - dollars(7000, 13000);
  expect(planSaved(session(sent))).toBeCloseTo(saved, 12);
});

it('after a pause of more than five minutes everything would be written again', () => {
  const sent = [
    [1000, 12000, 0],
    [400_000, 7000, 0],
  ] as const;
  const saved = dollars(0, 22000) - dollars(0, 7000);
  expect(planSaved(session(sent))).toBeCloseTo(saved, 12);
});

it('a request that is shorter than what a provider caches costs its plain price', () => {
  const sent = [
    [1000, 1000, 0],
    [2000, 12_000, 1000],
  ] as const;
  // Everything is written, and of the second request the first 12,000 tokens are read again.
  const everything = dollars(0, 12_000) + dollars(12_000, 10_000);
  const plain = (1000 * price.dollarsPerMillion) / 1e6;
  expect(planSaved(session(sent))).toBeCloseTo(everything - plain - dollars(0, 12_000), 12);
});

it('what would have been sent is measured as the provider measures what was', () => {
  const sent = [
    [1000, 22_000, 0],
    [2000, 42_000, 22_000],
    [3000, 62_000, 42_000],
  ] as const;
  const given = session(sent);
  const requests = given.requests.map((one) => ({ ...one, reported: { inputTokens: one.tokens } }));
  expect(reportedScale(given, 60_000)).toBe(1);
  const scale = reportedScale({ ...given, requests }, 60_000);
  expect(scale).toBe(2);
  const counted = planSaved({ ...given, requests });
  expect(counted).toBeLessThan(-0.05);
  expect(planSaved({ ...given, requests }, scale)).toBeCloseTo(0, 12);
});

it('a system prompt that changed would have been followed by everything, written again', () => {
  const sent = [
    [1000, 12_000, 0],
    [2000, 9000, 0],
  ] as const;
  const { requests, ...given } = session(sent);
  const changed = requests.map((one, index) =>
    index === 1 ? { ...one, cause: 'system' as const } : one,
  );
  const saved = dollars(0, 22_000) - dollars(0, 9000);
  expect(planSaved({ ...given, requests: changed })).toBeCloseTo(saved, 12);
});

it('what is saved is a share of what the provider charged, as `ctx run` says it', () => {
  const sent = [
    [1000, 12_000, 0],
    [2000, 16_000, 10_000],
  ] as const;
  const { requests, ...given } = session(sent);
  const forgot = requests.map((one, index) =>
    index === 0 ? one : { ...one, reported: { inputTokens: 16_000, cachedTokens: 0 } },
  );
  const dearer = dollars(12_000, 10_000) / dollars(10_000, 6000) - 1;
  const saved = dollars(0, 16_000) * dearer;
  expect(planSaved({ ...given, requests: forgot })).toBeCloseTo(saved, 12);
});

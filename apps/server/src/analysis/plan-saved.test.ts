import { priceOfModel } from '@ctx/proxy';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { importBytes } from '@ctx/transcripts/import';
import { expect, it } from 'vitest';
import { readSizes } from '../windows/read-sizes.ts';
import { readRecordedWindow } from '../windows/recorded-window.ts';
import { planCost, planSaved, reportedScale } from './plan-cost.ts';
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

it('what was written to the cache for an hour costs twice a plain token, not 1.25 times', async () => {
  const store = await openStore(memoryBackend(), { tokenCounter: approximateTokens });
  const said = (role: string, more: object) => ({
    ...{ sessionId: 'hour', uuid: role, type: role, timestamp: '2026-01-01T00:00:00.000Z' },
    ...{ parentUuid: role === 'user' ? null : 'user', message: { role, content: 'hi', ...more } },
  });
  const usage = {
    ...{ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 10_000 },
    cache_creation_input_tokens: 6000,
    cache_creation: { ephemeral_5m_input_tokens: 2000, ephemeral_1h_input_tokens: 4000 },
  };
  const log = [said('user', {}), said('assistant', { id: 'm1', usage })];
  const bytes = Buffer.from(log.map((line) => JSON.stringify(line)).join('\n'));
  await importBytes(
    store,
    { name: 'hour.jsonl', bytes },
    {
      ...{ format: 'claude-code', redact: 'off', countTokens: approximateTokens },
      signal: new AbortController().signal,
    },
  );
  const window = await readRecordedWindow(store, 'hour', await readSizes(store, 'hour'));
  const [cost] = planCost({ requests: window.requests, ...window.view() }, []).models;
  const hour = (4000 * 2 * price.dollarsPerMillion) / 1e6;
  expect(cost?.inputDollars).toBeCloseTo(dollars(10_000, 2000) + hour, 12);
});

it('a session that writes its cache for an hour saves at that price, and would have forgotten nothing within it', () => {
  const sent = [
    [1000, 12_000, 0],
    [1_000_000, 9000, 7000],
  ] as const;
  const { requests, ...given } = session(sent);
  const reported = [
    { inputTokens: 12_000, cachedTokens: 0, hourTokens: 12_000 },
    { inputTokens: 9000, cachedTokens: 7000, hourTokens: 2000 },
  ];
  const told = requests.map((one, index) => ({
    ...one,
    reported: reported[index] ?? { inputTokens: 0 },
  }));
  const hour = (read: number, written: number): number =>
    dollars(read, 0) + dollars(0, written) * (2 / 1.25);
  const [cost] = planCost({ ...given, requests: told }, []).models;
  expect(cost?.inputDollars).toBeCloseTo(hour(0, 12_000) + hour(7000, 2000), 12);
  const saved = hour(12_000, 10_000) - hour(7000, 2000);
  expect(planSaved({ ...given, requests: told })).toBeCloseTo(saved, 12);
});

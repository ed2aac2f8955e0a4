import { expect, test } from 'vitest';
import { cachedCounter, createTokenCache } from './cached-counter.ts';
import { loadEncoding } from './encoding/load-encoding.ts';
import { countTokensInSlices, openTokenCounter, tokenCounterFor } from './token-counter.ts';

function countingCounter(): { count: (text: string) => number; calls: string[] } {
  const calls: string[] = [];
  const count = (text: string): number => {
    calls.push(text);
    return text.length;
  };
  return { count, calls };
}

test('the empty text counts 0 and known texts count as tiktoken does', () => {
  const count = openTokenCounter();
  expect(count('')).toBe(0);
  expect(count('hello world')).toBe(2);
  expect(openTokenCounter({ encoding: 'cl100k_base' })('hello world')).toBe(2);
});

test('a text is counted once, be it short or long', () => {
  const { count, calls } = countingCounter();
  const cached = cachedCounter(count);
  const long = 'long '.repeat(1000);
  for (let round = 0; round < 3; round += 1) {
    expect(cached('short')).toBe(5);
    expect(cached(long)).toBe(5000);
  }
  expect(calls).toEqual(['short', long]);
});

test('the cache drops what was used longest ago when its bytes are full', () => {
  const { count, calls } = countingCounter();
  const cached = cachedCounter(count, { cacheBytes: 220 });
  cached('a');
  cached('b');
  cached('a');
  cached('c');
  cached('a');
  expect(calls).toEqual(['a', 'b', 'c']);
  cached('b');
  expect(calls).toEqual(['a', 'b', 'c', 'b']);
});

test('a text that looks like the key of a long one is not mistaken for it', () => {
  const cache = createTokenCache();
  cache.set('x'.repeat(500), 7);
  expect(cache.get('#'.repeat(45))).toBeUndefined();
  expect(cache.get('x'.repeat(500))).toBe(7);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'cacheBytes %s is refused',
  (cacheBytes) => {
    expect(() => openTokenCounter({ cacheBytes })).toThrow(
      expect.objectContaining({ name: 'CtxError', code: 'CTX_INVALID_OPTION' }),
    );
  },
);

test('models of one encoding share one counter', () => {
  expect(tokenCounterFor('gpt-4o')).toBe(tokenCounterFor('claude-sonnet-4-5'));
  expect(tokenCounterFor()).toBe(tokenCounterFor('no-such-model'));
  expect(tokenCounterFor('gpt-4')).not.toBe(tokenCounterFor('gpt-4o'));
});

test('counting in slices gives the same and lets the event loop turn', async () => {
  const text = `${'some words of prose, '.repeat(10_000)}${'a'.repeat(50_000)}`;
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 0);
  const tokens = await countTokensInSlices(text);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(3);
  expect(tokens).toBe(openTokenCounter()(text));
  expect(tokenCounterFor()(text)).toBe(tokens);
});

test('counting in slices stops when it is aborted', async () => {
  const controller = new AbortController();
  const counting = countTokensInSlices('stop in the middle '.repeat(20_000), {
    signal: controller.signal,
  });
  controller.abort(new Error('enough'));
  await expect(counting).rejects.toThrow('enough');
  await expect(countTokensInSlices('', { signal: controller.signal })).rejects.toThrow('enough');
});

test('the tokenizer of an encoding is loaded once', () => {
  expect(loadEncoding('o200k_base')).toBe(loadEncoding('o200k_base'));
});

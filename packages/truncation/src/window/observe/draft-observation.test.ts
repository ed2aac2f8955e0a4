import { describe, expect, it } from 'vitest';
import {
  insertPair,
  type TestWindow,
  testWindow,
  textOf,
  user,
} from '../test-support/test-window.ts';
import { openWindow } from '../window.ts';

/** A window with one request of about 30,000 tokens behind it, and more since. */
function asked(): TestWindow & { readonly sent: number } {
  const test = testWindow();
  test.window.insert(user('task'));
  insertPair(test.window, 'a', { name: 'Read', input: { path: 'a.ts' }, text: textOf(15_000) });
  insertPair(test.window, 'b', {
    name: 'Read',
    input: { path: 'b.ts' },
    text: textOf(15_000, 'b'),
  });
  const sent = test.window.request(0, { model: 'm', tools: 't', system: 's' }).tokens;
  insertPair(test.window, 'c', { text: textOf(500, 'c') });
  return { ...test, sent };
}

describe('a report of usage', () => {
  it('changes what the next request is thought to be, by the same factor', () => {
    const { window } = testWindow();
    window.insert(user(textOf(10_000)));
    const { tokens } = window.request(0);
    expect(window.observe({ inputTokens: tokens * 1.5 }).factor).toBeCloseTo(1.15);
    expect(window.request(1).tokens).toBe(Math.ceil(tokens * 1.15));
  });

  it('makes room earlier where estimates were too low', () => {
    const { window } = testWindow({ windowTokens: 40_000, changes: { patience: 1000 } });
    window.insert(user('task'));
    for (const id of ['a', 'b', 'c']) {
      insertPair(window, id, { name: 'Read', input: { path: id }, text: textOf(9500, id) });
    }
    const { tokens, flush } = window.request(0);
    expect(flush).toBeUndefined();
    for (let count = 0; count < 10; count += 1) window.observe({ inputTokens: tokens * 1.9 });
    const after = window.request(1);
    expect(after.flush?.cause).toBe('hard');
    expect(after.tokens).toBeLessThanOrEqual(35_000);
  });

  it('comes back with the log', () => {
    const { window, events, options } = testWindow();
    window.insert(user(textOf(1000)));
    window.observe({ inputTokens: window.request(0).tokens * 1.4 });
    expect(openWindow(options, events).request(1)).toEqual(window.request(1));
  });

  it('is no report where it makes no sense', () => {
    const { window, events } = testWindow();
    window.request(0);
    const before = events.length;
    expect(window.observe({ inputTokens: Number.NaN })).toEqual({ factor: 1 });
    expect(window.observe({ inputTokens: -1, cachedTokens: 5 })).toEqual({ factor: 1 });
    expect(events).toHaveLength(before);
  });
});

describe('a miss of the cache', () => {
  it('is none where all of the request before was read from it, but for rounding', () => {
    const { window, sent } = asked();
    const { tokens } = window.request(1, { model: 'm' });
    expect(window.observe({ inputTokens: tokens, cachedTokens: sent - 900 }).miss).toBeUndefined();
  });

  it('is none at the first request', () => {
    const { window } = testWindow();
    window.insert(user(textOf(5000)));
    const { tokens } = window.request(0);
    expect(window.observe({ inputTokens: tokens, cachedTokens: 0 }).miss).toBeUndefined();
  });

  it.each(['model', 'tools', 'system'] as const)('names another %s as its cause', (part) => {
    const { window, events } = asked();
    const { tokens } = window.request(1, { [part]: 'another' });
    const { miss } = window.observe({ inputTokens: tokens, cachedTokens: 0 });
    expect(miss).toMatchObject({ cause: part, predictedTokens: 0, reportedTokens: 0 });
    expect(miss?.segment).toBeUndefined();
    expect(events.at(-1)).toEqual({ type: 'cache-miss', ...miss });
  });

  it('names the lifetime where the cache was left alone for too long', () => {
    const { window } = asked();
    window.insert(user('next'));
    const { tokens } = window.request(300_001);
    expect(window.observe({ inputTokens: tokens, cachedTokens: 0 }).miss?.cause).toBe('lifetime');
  });

  it('names the messages where a flush changed the end of a long prefix', () => {
    const { window } = testWindow({
      changes: { tailTokens: 500, otherTailTokens: 500, coldTailTokens: 100, patience: 0 },
    });
    window.insert(user(textOf(20_000)));
    window.request(0);
    insertPair(window, 'a', { text: textOf(1900, 'a') });
    insertPair(window, 'b', { text: textOf(1900, 'b') });
    insertPair(window, 'c', { text: textOf(1900, 'c') });
    window.request(1);
    insertPair(window, 'd', { text: textOf(1900, 'd') });
    const { flush, tokens } = window.request(2);
    expect(flush?.cause).toBe('economic');
    const first = flush?.edits[0]?.segment ?? -1;
    const { miss } = window.observe({ inputTokens: tokens, cachedTokens: 20_000 });
    expect(miss).toMatchObject({ cause: 'messages', segment: first });
    expect(miss?.predictedTokens).toBeGreaterThan(19_000);
  });

  it('says where the provider forgot more than it should, and takes that for its lifetime', () => {
    const { window } = asked();
    const { tokens } = window.request(1);
    const { miss } = window.observe({ inputTokens: tokens, cachedTokens: 16_000 });
    expect(miss).toMatchObject({ cause: 'lifetime', segment: 4, reportedTokens: 16_000 });
    expect(miss?.predictedTokens).toBeGreaterThan(29_000);
  });

  it('names the minimum where the prefix is too short to be cached', () => {
    const { window, events, options } = testWindow();
    window.insert(user(textOf(400)));
    window.request(0);
    window.insert(user(textOf(5000)));
    window.request(1);
    window.insert(user('x'));
    expect(events.length).toBeGreaterThan(0);
    const large = openWindow(
      {
        ...options,
        price: { ...options.price, minimumTokens: 9000 },
      },
      events,
    );
    const { tokens } = large.request(2);
    expect(large.observe({ inputTokens: tokens, cachedTokens: 0 }).miss?.cause).toBe('minimum');
  });
});

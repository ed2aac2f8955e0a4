import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../../backend/memory/memory-backend.ts';
import { openStore } from '../../open-store.ts';

const start = Date.UTC(2026, 0, 1);

/** An agent whose items have these sizes in tokens, the first the most important. */
async function openWith(sizes: readonly number[], pinned: readonly number[] = []) {
  let now = start + sizes.length;
  const store = await openStore(memoryBackend(), {
    clock: () => now,
    tokenCounter: (text) => Number(text),
  });
  for (const [at, size] of sizes.entries()) {
    const input = { agentId: 'a', kind: 'TASK', id: `i${String(at)}`, content: String(size) };
    await store.items.save({ ...input, pinned: pinned.includes(at) });
    now -= 1;
  }
  now = start + sizes.length;
  return store.items;
}

describe('loading a tier', () => {
  it('takes the most important first and passes over what does not fit', async () => {
    const items = await openWith([50, 60, 30, 30, 10]);
    const load = await items.load('a', { maxTokens: 100 });
    expect(load.items.map(({ id }) => id)).toEqual(['i0', 'i2', 'i4']);
    expect(load).toMatchObject({ tokens: 90, fits: false, left: { items: 2, tokens: 90 } });
    expect(load.passedOver.map(({ id, tokens }) => [id, tokens])).toEqual([
      ['i1', 60],
      ['i3', 30],
    ]);
  });

  it('takes the whole tier where it fits', async () => {
    const items = await openWith([50, 50]);
    const load = await items.load('a', { maxTokens: 100 });
    expect(load).toMatchObject({ fits: true, left: { items: 0, tokens: 0 }, passedOver: [] });
  });

  it('names what is pinned and does not fit first', async () => {
    const items = await openWith([10, 500], [1]);
    const load = await items.load('a', { maxTokens: 100 });
    expect(load.passedOver).toEqual([{ id: 'i1', kind: 'TASK', tokens: 500, pinned: true }]);
    expect(load.fits).toBe(false);
  });

  it('counts what lies behind the items that were looked at', async () => {
    const items = await openWith([10, 10, 10, 10]);
    const load = await items.load('a', { limit: 2 });
    expect(load).toMatchObject({ tokens: 20, fits: false, left: { items: 2, tokens: 20 } });
    const none = await items.load('a', { maxTokens: 0 });
    expect(none).toMatchObject({ items: [], left: { items: 4, tokens: 40 } });
  });

  it('looks at no more items once twenty were too large', async () => {
    const items = await openWith([10, ...Array.from({ length: 40 }, () => 100), 5]);
    const load = await items.load('a', { maxTokens: 20 });
    expect(load.items).toHaveLength(1);
    expect(load.passedOver).toHaveLength(20);
    expect(load.left).toEqual({ items: 41, tokens: 4005 });
  });

  it('refuses a budget that is no number', async () => {
    const items = await openWith([1]);
    for (const maxTokens of [-1, Number.NaN]) {
      const load = items.load('a', { maxTokens });
      await expect(load).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    }
  });

  it('never exceeds the budget, and accounts for every item of the tier', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat({ max: 600 }), async (given, maxTokens) => {
        const items = await openWith(given);
        const load = await items.load('a', { maxTokens });
        const sum = given.reduce((all, size) => all + size, 0);
        expect(load.tokens).toBeLessThanOrEqual(maxTokens);
        expect(load.items.reduce((all, { tokens }) => all + tokens, 0)).toBe(load.tokens);
        expect(load.items.length + load.left.items).toBe(given.length);
        expect(load.tokens + load.left.tokens).toBe(sum);
        expect(load.fits).toBe(sum <= maxTokens);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCostModel, type PricedRequest } from './cost-model.ts';
import type { Segment } from './prefix-trie.ts';
import { type CachePrice, cachePriceOf, cachePrices } from './prices.ts';

const price: CachePrice = {
  name: 'test',
  read: 0.1,
  write: 1.25,
  minimumTokens: 100,
  granularity: 1,
  lifetimeMs: 1000,
  output: 5,
  dollarsPerMillion: 2,
};

const segments = (...names: string[]): Segment[] =>
  names.map((name) => ({ id: name, tokens: 100 }));

const request = (parts: readonly Segment[], time = 0, lane = 'a'): PricedRequest => ({
  lane,
  time,
  segments: parts,
  outputTokens: 10,
});

describe('createCostModel', () => {
  it('answers an identical request from the cache but for its last token, rounded down', () => {
    const model = createCostModel({ ...price, granularity: 64 });
    model.add(request(segments('s', 'u', 'a')));
    const again = model.add(request(segments('s', 'u', 'a'), 1));
    expect(again.hitTokens).toBe(256);
    expect(again.inputUte).toBeCloseTo(0.1 * 256 + 1.25 * 44, 9);
    expect(again.outputUte).toBe(50);
  });

  it('prices a request by its length and what the cache knows of it as it prices one that is sent', () => {
    const model = createCostModel({ ...price, granularity: 64 });
    model.add(request(segments('s', 'u', 'a')));
    const again = model.add(request(segments('s', 'u', 'b'), 1));
    expect(model.inputUte({ length: 300, alive: 200 })).toBe(again.inputUte);
    expect(model.inputUte({ length: 90, alive: 0 })).toBe(90);
  });

  it('misses only the new tokens of a pure append', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u')));
    const appended = model.add(request(segments('s', 'u', 'a', 'v'), 1));
    expect(appended.hitTokens).toBe(200);
    expect(appended.prefixBreak).toBe(false);
    expect(appended.waste).toEqual({ lifetime: 0, changed: 0, minimum: 0, granularity: 0 });
  });

  it('hits up to an edit, and counts what is paid again behind it', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u', 'a', 'v')));
    const edited = model.add(request(segments('s', 'X', 'a', 'v'), 1));
    expect(edited.hitTokens).toBe(100);
    expect(edited.prefixBreak).toBe(true);
    expect(edited.waste.changed).toBe(200);
  });

  it("counts the break behind a call that stood beside the conversation, such as a summariser's", () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u', 'a', 'v')));
    const aside = model.add({ ...request(segments('s', 'u', 'sum up'), 1), isAside: true });
    expect(aside).toMatchObject({ hitTokens: 200, prefixBreak: false });
    const compacted = model.add(request(segments('s', 'summary', 'a', 'v'), 2));
    expect(compacted).toMatchObject({ hitTokens: 100, prefixBreak: true });
    expect(compacted.waste.changed).toBe(200);
  });

  it('does not take equal content at the end of an append for a break', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u', 'a')));
    const appended = model.add(request(segments('s', 'u', 'a', 'u'), 1));
    expect(appended.prefixBreak).toBe(false);
    expect(appended.waste.changed).toBe(0);
  });

  it('hits the old path again after an edit was taken back in time', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u', 'a', 'v')));
    model.add(request(segments('s', 'X', 'a', 'v'), 1));
    expect(model.add(request(segments('s', 'u', 'a', 'v'), 2)).hitTokens).toBe(399);
  });

  it('lets sub-agents that share a prefix hit each other, but not another lane', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'x')));
    expect(model.add(request(segments('s', 'y'), 1)).hitTokens).toBe(100);
    expect(model.add(request(segments('s', 'y'), 2, 'b')).hitTokens).toBe(0);
  });

  it('hits after exactly the lifetime and misses a moment later', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u')));
    expect(model.add(request(segments('s', 'u'), 1000)).hitTokens).toBe(199);
    const late = model.add(request(segments('s', 'u'), 2001));
    expect(late.hitTokens).toBe(0);
    expect(late.waste.lifetime).toBe(200);
  });

  it('misses everything when the first segments change places', () => {
    const model = createCostModel(price);
    model.add(request(segments('tool-a', 'tool-b', 'u')));
    expect(model.add(request(segments('tool-b', 'tool-a', 'u'), 1)).hitTokens).toBe(0);
  });

  it('charges the plain price under the minimum', () => {
    const model = createCostModel(price);
    const short = [{ id: 's', tokens: 50 }];
    model.add(request(short));
    const again = model.add(request(short, 1));
    expect(again.hitTokens).toBe(0);
    expect(again.inputUte).toBe(50);
    expect(again.waste).toEqual({ lifetime: 0, changed: 0, minimum: 50, granularity: 0 });
  });

  it('does not hit equal content that stands elsewhere', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u', 'big')));
    expect(model.add(request(segments('t', 'big'), 1)).hitTokens).toBe(0);
  });

  it('adds everything up', () => {
    const model = createCostModel(price);
    model.add(request(segments('s', 'u')));
    model.add(request(segments('s', 'u', 'a'), 1));
    const total = model.total();
    expect(total).toMatchObject({
      requests: 2,
      inputTokens: 500,
      hitTokens: 200,
      peakTokens: 300,
      outputTokens: 20,
      hitRate: 0.4,
      prefixBreaks: 0,
    });
    expect(total.ute).toBeCloseTo(250 + 20 + 125 + 100, 9);
    expect(total.dollars).toBeCloseTo((495 * 2) / 1e6, 12);
    expect(createCostModel(price).total().hitRate).toBe(0);
  });

  it('adds up what was paid again, by cause, and how often a prefix broke', () => {
    const model = createCostModel({ ...price, granularity: 64 });
    const short = [{ id: 't', tokens: 50 }];
    const all = [
      model.add(request(segments('s', 'u', 'a'))),
      model.add(request(segments('s', 'X', 'a'), 1)),
      model.add(request(segments('s', 'u', 'a'), 2)),
      model.add(request(segments('s', 'u', 'a'), 5000)),
      model.add(request(segments('s', 'u', 'a'), 5001)),
      model.add(request(short, 5002, 'b')),
      model.add(request(short, 5003, 'b')),
    ];
    const sumOf = (value: (cost: (typeof all)[number]) => number): number =>
      all.reduce((sum, cost) => sum + value(cost), 0);
    const total = model.total();
    expect(total.waste).toEqual({
      lifetime: sumOf(({ waste }) => waste.lifetime),
      changed: sumOf(({ waste }) => waste.changed),
      minimum: sumOf(({ waste }) => waste.minimum),
      granularity: sumOf(({ waste }) => waste.granularity),
    });
    for (const tokens of Object.values(total.waste)) expect(tokens).toBeGreaterThan(0);
    expect(total.prefixBreaks).toBe(1);
    expect(total.inputUte).toBeCloseTo(
      sumOf(({ inputUte }) => inputUte),
      9,
    );
  });

  it('charges the price of writing from the minimum on', () => {
    const of = (tokens: number) =>
      createCostModel(price).add(request([{ id: 's', tokens }])).inputUte;
    expect(of(99)).toBe(99);
    expect(of(100)).toBe(125);
  });

  it('agrees with a slow search over all requests ever sent', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const step = fc.record({
      names: fc.array(name, { minLength: 1, maxLength: 6 }),
      gap: fc.nat({ max: 800 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const model = createCostModel(price);
        const sent: { names: string[]; time: number }[] = [];
        let time = 0;
        for (const { names, gap } of steps) {
          time += gap;
          const aliveLengths = names.map((_, index) => {
            const prefix = names.slice(0, index + 1).join();
            const uses = sent.filter(({ names: old }) => old.slice(0, index + 1).join() === prefix);
            const last = Math.max(...uses.map((use) => use.time));
            return uses.length > 0 && time - last <= price.lifetimeMs;
          });
          const alive =
            aliveLengths.indexOf(false) === -1 ? names.length : aliveLengths.indexOf(false);
          const expected = Math.min(alive * 100, names.length * 100 - 1);
          const cost = model.add(request(segments(...names), time));
          expect(cost.hitTokens).toBe(expected < 100 ? 0 : expected);
          sent.push({ names, time });
        }
      }),
    );
  });
});

describe('a price', () => {
  it.each([
    [{ granularity: 0 }, 'granularity'],
    [{ read: -0.1 }, 'read'],
    [{ minimumTokens: Number.NaN }, 'minimumTokens'],
    [{ lifetimeMs: Number.NaN }, 'lifetimeMs'],
  ])('is refused with %j', (change, field) => {
    expect(() => createCostModel({ ...price, ...change })).toThrow(`price test: ${field} must be`);
  });

  it('may be nothing, and what is sent may be forgotten at once', () => {
    const model = createCostModel({ ...price, read: 0, lifetimeMs: 0 });
    model.add(request(segments('s', 'u')));
    expect(model.add(request(segments('s', 'u'), 0)).inputUte).toBe(1.25);
    expect(model.add(request(segments('s', 'u'), 1)).hitTokens).toBe(0);
  });

  it('may last for ever, and rounds hits down to its granularity', () => {
    const model = createCostModel({ ...price, lifetimeMs: Infinity, granularity: 64 });
    model.add(request(segments('s', 'u')));
    const later = model.add(request(segments('s', 'u'), 1e12));
    expect(later.hitTokens).toBe(192);
    expect(later.waste).toMatchObject({ granularity: 8, lifetime: 0, minimum: 0 });
  });
});

describe('cachePrices', () => {
  it('names each entry once and finds it by name', () => {
    expect(new Set(cachePrices.map(({ name }) => name)).size).toBe(cachePrices.length);
    expect(cachePriceOf('anthropic-5m')).toMatchObject({ read: 0.1, write: 1.25 });
    expect(() => cachePriceOf('nobody')).toThrow('known are anthropic-5m');
  });
});

import { type ItemService, openStore } from '@ctx/core';
import { sqliteBackend } from '@ctx/store-sqlite';
import { type Timing, timeInTurn } from '../stores/timing.ts';
import { benchAgent } from './fill-items.ts';
import { openRawItems, type RawItems } from './raw-items.ts';

/** A call of ctx beside the least code that does the same. */
export interface Compared {
  readonly ctx: Timing;
  readonly raw: Timing;
}

/** By what is done. */
export type ItemTimings = Readonly<Record<string, Compared>>;

export interface MeasureOptions {
  /** The moment of all queries, ms since the epoch. */
  readonly now: number;
  /** How many items the agent had at first. */
  readonly items: number;
  readonly times: number;
}

function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

type Twin = readonly [ctx: (index: number) => Promise<unknown>, raw: (index: number) => unknown];

interface Subject {
  readonly items: ItemService;
  readonly raw: RawItems;
  readonly now: number;
  /** Names one of the items that were there at first, another for each index. */
  readonly idOf: (index: number) => string;
}

function readings({ items, raw, now, idOf }: Subject): Record<string, Twin> {
  return {
    'HOT load, 100': [
      async () => {
        const load = await items.load(benchAgent, { maxTokens: 10_000 });
        must(load.items.length === 100, 'there are fewer than 100 hot items');
      },
      () => raw.hot(101, now),
    ],
    'HOT page, 100': [
      () => items.inTier(benchAgent, 'hot', { limit: 100 }),
      () => raw.hot(101, now),
    ],
    'kind page, 100': [
      () => items.list(benchAgent, { kind: 'ERROR' }),
      () => raw.kind('ERROR', 101),
    ],
    'get, a peek': [
      (index) => items.get(benchAgent, idOf(index), { peek: true }),
      (index) => raw.get(idOf(index)),
    ],
  };
}

function writings({ items, raw, now, idOf }: Subject): Record<string, Twin> {
  const content = (index: number): string => `const answer${String(index)} = compute(input);`;
  return {
    'touch, durable': [
      (index) => items.touch(benchAgent, idOf(index)),
      (index) => {
        raw.touch(idOf(index + 1), now);
      },
    ],
    'save, durable': [
      (index) => items.save({ agentId: benchAgent, kind: 'CODE', content: content(index) }),
      (index) => {
        raw.save(content(index), now);
      },
    ],
  };
}

/** Counts by a full scan take so long that fewer are enough. */
const fewTimes = 20;

/** Times each call in turn with its raw twin, so that the moods of the machine meet both alike. */
export async function measureItems(
  path: string,
  { now, items: count, times }: MeasureOptions,
): Promise<ItemTimings> {
  const store = await openStore(sqliteBackend({ path }), { clock: () => now });
  const raw = openRawItems(path);
  const idOf = (index: number): string => `item-${String((index * 7919) % count)}`;
  const subject: Subject = { items: store.items, raw, now, idOf };
  const stats: Twin = [
    async () => {
      must((await store.items.stats(benchAgent)).items >= count, 'a count is off');
    },
    () => raw.stats(now),
  ];
  const timings: Record<string, Compared> = {};
  try {
    for (const [name, [ctx, plain]] of Object.entries({
      ...readings(subject),
      stats,
      ...writings(subject),
    })) {
      const often = name === 'stats' ? Math.min(times, fewTimes) : times;
      timings[name] = await timeInTurn(often, { ctx, raw: plain });
    }
  } finally {
    raw.close();
    await store.close();
  }
  return timings;
}

import { type ContextStore, openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { type Timing, timeInTurn } from '../stores/timing.ts';
import { benchAgent, kindOf } from './fill-items.ts';
import { openRawItems, type RawItems } from './raw-items.ts';

/** A call of ctx beside the least code that does the same. */
export interface Compared {
  readonly ctx: Timing;
  readonly raw: Timing;
}

/** By what is done. */
export type ItemTimings = Readonly<Record<string, Compared>>;

export interface MeasureOptions {
  /** The moment at which it begins, ms since the epoch; each call comes a second later. */
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
  readonly items: ContextStore['items'];
  readonly raw: RawItems;
  readonly clock: () => number;
  /** Names one of the items that were there at first, another for each index. */
  readonly idOf: (index: number) => string;
}

function readings({ items, raw, clock, idOf }: Subject): Record<string, Twin> {
  return {
    'HOT load, 100': [
      async () => {
        const load = await items.load(benchAgent, { maxTokens: 10_000 });
        must(load.items.length === 100, 'there are fewer than 100 hot items');
      },
      () => raw.hot(101, clock()),
    ],
    'HOT page, 100': [
      () => items.inTier(benchAgent, 'hot', { limit: 100 }),
      () => raw.hot(101, clock()),
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

function writings({ items, raw, clock, idOf }: Subject): Record<string, Twin> {
  const content = (index: number): string => `const answer${String(index)} = compute(input);`;
  return {
    'touch, durable': [
      (index) => items.touch(benchAgent, idOf(index)),
      (index) => {
        raw.touch(idOf(index + 1), clock());
      },
    ],
    'save, durable': [
      (index) => items.save({ agentId: benchAgent, kind: kindOf(index), content: content(index) }),
      (index) => {
        raw.save(kindOf(index), content(index), clock());
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
  let ticks = 0;
  const clock = (): number => now + (ticks += 1) * 1000;
  const store = await openStore(sqliteBackend({ path }), { clock });
  const raw = openRawItems(path);
  const idOf = (index: number): string => `item-${String((index * 7919) % count)}`;
  const subject: Subject = { items: store.items, raw, clock, idOf };
  const stats: Twin = [
    async () => {
      must((await store.items.stats(benchAgent)).items >= count, 'a count is off');
    },
    () => raw.stats(clock()),
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

import { createMemory } from '@ctx/memory';
import {
  type PutOperation,
  type StoreBackend,
  type WriteOperation,
  wrapBackend,
} from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { openSearched } from '../search/searched-stores.ts';

const many = 100_000;
/** Facts of one write while the store is filled. */
const batch = 2000;

interface Work {
  calls: number;
  read: number;
  written: number;
}

/** Counts what reaches a backend: its calls, the records that it returned, and those that it was told to write. */
function counting(work: Work, seen: WriteOperation[]) {
  const count = <Records extends readonly unknown[]>(records: Records): Records => {
    work.read += records.length;
    return records;
  };
  return (backend: StoreBackend): StoreBackend =>
    wrapBackend(backend, {
      get: async (...asked) => {
        work.calls += 1;
        return count(await backend.get(...asked));
      },
      search: async (query) => {
        work.calls += 1;
        return count(await backend.search(query));
      },
      async *scan(query) {
        work.calls += 1;
        for await (const record of backend.scan(query)) {
          work.read += 1;
          yield record;
        }
      },
      write: (operations, options) => {
        work.calls += 1;
        work.written += operations.length;
        seen.push(...operations);
        return backend.write(operations, options);
      },
    });
}

const isPut = (operation: WriteOperation | undefined): operation is PutOperation =>
  operation?.type === 'put';

/** A store with 100,000 facts, half of them about one matter, of which the last one holds, and a memory whose work is counted. */
async function filled(name: string) {
  const work: Work = { calls: 0, read: 0, written: 0 };
  const seen: WriteOperation[] = [];
  let opened: StoreBackend | undefined;
  const store = await openSearched(name, (backend) => {
    opened = backend;
    return counting(work, seen)(backend);
  });
  const memory = createMemory(store);
  const templateOf = async (text: string, matter = {}): Promise<PutOperation> => {
    await memory.add({ text, ...matter });
    const put = seen.at(-1);
    if (!isPut(put)) throw new Error('the last write of a fact is its record');
    return put;
  };
  const port = { subject: 'project', attribute: 'port' };
  const templates = [
    await templateOf('Service zero runs on machine zero'),
    await templateOf('The port is zero', port),
  ];
  const now = store.clock();
  const copyOf = (at: number): WriteOperation[] =>
    templates.map(({ key, body, words, columns, ...rest }, place) => {
      const name = `n${String(at)}`;
      const isPast = place === 1;
      const named = JSON.parse(body.replaceAll('zero', name)) as { detail: { periods: object[] } };
      if (isPast) named.detail.periods = [{ from: now - 2, to: now - 1 }];
      return {
        ...rest,
        key: [...key.slice(0, -1), `${name}-${String(place)}`],
        columns: { ...columns, updated_at: now - many + at },
        body: JSON.stringify(named),
        words: { text: isPast ? '' : (words?.['text'] ?? '').replaceAll('zero', name) },
        expectVersion: 0,
      };
    });
  for (let at = 0; at < many / 2; at += batch / 2) {
    const facts = Array.from({ length: batch / 2 }, (_, place) => copyOf(at + place)).flat();
    await opened?.write(facts);
  }
  /** What a call costs. */
  const costOf = async (call: () => Promise<unknown>): Promise<Work> => {
    Object.assign(work, { calls: 0, read: 0, written: 0 });
    await call();
    return { ...work };
  };
  return { store, memory, costOf };
}

type Filled = Awaited<ReturnType<typeof filled>>;

async function checkCosts({ memory, costOf }: Filled): Promise<void> {
  const port = 'The port is 8080';
  const said = [{ type: 'text' as const, text: 'We moved from npm to pnpm. I moved to Bern.' }];
  const moved = [{ role: 'user' as const, content: said }];
  const calls: readonly (readonly [string, () => Promise<unknown>, Partial<Work>])[] = [
    ['a rare word', () => memory.recall('where does n777 run?'), { calls: 2, read: 400 }],
    ['frequent words', () => memory.recall('service machine'), { calls: 2, read: 400 }],
    ['a page', () => memory.list(), { calls: 1, read: 101 }],
    ['the block', () => memory.block(), { calls: 5, read: 1010 }],
    ['a fact', () => memory.add({ text: 'Cats purr' }), { calls: 4, read: 3, written: 1 }],
    ['a rival', () => memory.add({ text: port }), { calls: 5, read: 105, written: 2 }],
    [
      'a correction',
      () => memory.correct(port, { text: 'The port is 9090' }),
      { calls: 6, read: 110, written: 2 },
    ],
    ['its history', () => memory.history('The port is 9090'), { calls: 6, read: 1250 }],
    [
      'what ends by its words',
      () => memory.observe(moved, { sessionId: 's' }),
      { calls: 20, read: 1100, written: 3 },
    ],
    // These two read the facts of their owner, in pages.
    ['a past moment', () => memory.recall('service n777', { asOf: 5 }), { read: many + 200 }],
    ['forgetting', () => memory.forget('Cats purr'), { read: many + 100, written: 1 }],
  ];
  for (const [what, call, { calls: mostCalls = 150, read, written = 0 }] of calls) {
    const work = await costOf(call);
    const within = {
      calls: Math.min(work.calls, mostCalls),
      read: Math.min(work.read, read ?? 0),
      written: Math.min(work.written, written),
    };
    expect({ what, ...work }).toEqual({ what, ...within });
  }
}

async function checkOrder({ memory }: Filled): Promise<void> {
  await memory.add({ text: 'Backups run at night' });
  await memory.add({ text: 'The port is 5555' });
  const { facts } = await memory.recall('which port?');
  expect(facts.map(({ text }) => text)).toEqual(['The port is 5555']);
  const { entries, next = '' } = await memory.list({ limit: 3 });
  const later = (await memory.list({ limit: 3, after: next })).entries;
  const holding = [...entries, ...later].filter(({ validTo }) => validTo === undefined);
  expect(holding.map(({ text }) => text)).toEqual([
    ...['The port is 5555', 'Backups run at night', 'I moved to Bern', 'We moved from npm to pnpm'],
  ]);
  expect(await memory.block()).toContain('Backups run at night');
}

/** Tests what calls of a memory of 100,000 facts read, write and answer. */
export function describeManyFacts(name: string): void {
  describe(`a memory of 100,000 facts over ${name}`, () => {
    it('reads and writes a bounded number of records a call, and answers in order', async () => {
      const memory = await filled(name);
      await checkCosts(memory);
      await checkOrder(memory);
    });
  });
}

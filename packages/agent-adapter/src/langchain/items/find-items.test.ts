import { searchWords } from '@ctx/relevance';
import { collections, migrateStore, openStore } from '@ctx/store';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStore } from './create-store.ts';
import type { OperationShape, SearchItemShape, SearchShape } from './host-types.ts';
import { matchesFilter } from './item-filter.ts';

/** What `npm test` looks at of what the campaigns do. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

/** What the class of LangGraph leaves open. */
abstract class BaseStore {
  abstract batch(operations: readonly OperationShape[]): Promise<unknown[]>;
}

type Value = Record<string, unknown>;

/** A backend that counts the records whose bodies it gives, and the writes. */
function counting(backend: StoreBackend) {
  const counts = { bodies: 0, writes: 0 };
  const counted: StoreBackend = {
    ...backend,
    get: async (collection, keys, part) => {
      counts.bodies += part === 'columns' ? 0 : keys.length;
      return backend.get(collection, keys, part);
    },
    scan: (query) => ({
      async *[Symbol.asyncIterator]() {
        for await (const record of backend.scan(query)) {
          counts.bodies += query.part === 'columns' ? 0 : 1;
          yield record;
        }
      },
    }),
    write: (operations, options) => {
      counts.writes += 1;
      return backend.write(operations, options);
    },
  };
  return { backend: counted, counts };
}

async function made(backend: StoreBackend = memoryBackend()) {
  const { backend: counted, counts } = counting(backend);
  const store = await openStore(counted, { clock: () => 1000 });
  const items = createStore({ BaseStore, store });
  const put = async (values: readonly Value[], namespace: readonly string[] = ['n']) => {
    const operations = values.map((value, at) => ({
      namespace,
      key: `k${String(at).padStart(6, '0')}`,
      value,
    }));
    await items.batch(operations);
  };
  const search = async (wanted: Partial<SearchShape>): Promise<SearchItemShape[]> =>
    (await items.batch([{ namespacePrefix: ['n'], ...wanted }]))[0] as SearchItemShape[];
  return { store, items, put, search, counts };
}

const keysOf = (found: readonly SearchItemShape[]): string[] => found.map(({ key }) => key);

/** So many notes; every hundredth is of whales and a page. */
function notes(count: number): Value[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: at % 100 === 7 ? 'page' : 'note',
    text: `${at % 100 === 7 ? 'whales' : 'bread'} number${String(at)} of the day`,
  }));
}

describe('a search of many items', () => {
  it.each([
    { what: 'words', most: 5, wanted: { query: 'whales' } },
    { what: 'a member', most: 520, wanted: { filter: { kind: 'page' } } },
    { what: 'words and a member', most: 60, wanted: { query: 'whales', filter: { kind: 'page' } } },
    { what: 'nothing', most: 6, wanted: {} },
  ])('reads as few of them for $what, however many there are', async ({ wanted, most }) => {
    const readsAt = async (count: number): Promise<number> => {
      const { put, search, counts } = await made();
      await put(notes(count));
      counts.bodies = 0;
      const found = await search({ ...wanted, limit: 5 });
      expect(found).toHaveLength(5);
      return counts.bodies;
    };
    expect(await readsAt(1500)).toBeLessThanOrEqual(most);
    expect(await readsAt(6000)).toBeLessThanOrEqual(most);
  });

  it('finds what one item alone says, in its own namespace and in those above', async () => {
    const { put, search } = await made();
    await put(notes(700), ['n', 'one']);
    await put([{ text: 'a zebra' }], ['n', 'two']);
    await put([{ text: 'a zebra' }], ['nn']);
    const found = await search({ query: 'where is the zebra?', limit: 2 });
    expect(found.map(({ namespace }) => namespace)).toEqual([
      ['n', 'two'],
      ['n', 'one'],
    ]);
    expect(found.map(({ score }) => score !== undefined)).toEqual([true, false]);
  });

  it('answers with the items that a look at each of them finds', async () => {
    const word = fc.constantFrom('whale', 'bread', 'sea', 'butter', 'the');
    const value = fc.record({
      kind: fc.constantFrom<unknown>('a', 'b', 1, true, null, { deep: 1 }),
      text: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
    });
    const wanted = fc.record({
      query: fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
      filter: fc.option(fc.record({ kind: fc.constantFrom<unknown>('a', 1, null, { deep: 1 }) })),
    });
    const nameAt = (at: number): string => `k${String(at).padStart(6, '0')}`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 12 }),
        wanted,
        async (some, { query, filter }) => {
          const { put, search } = await made();
          // Over and over, so that they are many.
          const values = Array.from({ length: 510 }, (_, at) => some[at % some.length] ?? {});
          await put(values);
          const words = new Set(searchWords(query));
          const kept = values.flatMap((each, at) =>
            matchesFilter(each, filter ?? {}) ? [{ each, key: nameAt(at) }] : [],
          );
          const answers = ({ each }: { each: Value }): boolean =>
            searchWords(JSON.stringify(each)).some((word) => words.has(word));
          const pages: SearchItemShape[] = [];
          for (let offset = 0; offset <= kept.length; offset += 97) {
            const page = { query, limit: 97, offset, ...(filter === null ? {} : { filter }) };
            pages.push(...(await search(page)));
          }
          const found = pages.filter(({ score }) => score !== undefined);
          const answering = new Set(kept.filter(answers).map(({ key }) => key));
          expect(keysOf(found).every((key) => answering.has(key))).toBe(true);
          // Few items that have the member are ranked one by one, where a word of most of them tells nothing.
          const member = filter === null ? {} : filter.kind;
          const isByValue = typeof member === 'object' && member !== null;
          if (isByValue) expect(found).toHaveLength(answering.size);
          const scored = new Set(keysOf(found));
          const rest = kept.map(({ key }) => key).filter((key) => !scored.has(key));
          expect(keysOf(pages.slice(found.length))).toEqual(rest);
        },
      ),
      { numRuns: 25 * share },
    );
  }, 60_000);

  it('finds a member beside one whose name stands for something in stored values', async () => {
    const { put, search } = await made();
    const odd = JSON.parse('{"kind":"odd","__proto__":1,"$ctx":"date"}') as Value;
    await put([...notes(600), odd]);
    expect(keysOf(await search({ filter: { kind: 'odd' } }))).toEqual(['k000600']);
  });

  it('finds nothing of what left or came anew', async () => {
    const { put, search, items } = await made();
    await put(notes(600));
    await items.batch([
      { namespace: ['n'], key: 'k000007', value: null },
      { namespace: ['n'], key: 'k000107', value: { kind: 'note', text: 'bread' } },
    ]);
    const left = ['k000207', 'k000307', 'k000407', 'k000507'];
    expect(keysOf(await search({ filter: { kind: 'page' } }))).toEqual(left);
    const whales = await search({ query: 'whales' });
    expect(keysOf(whales.filter(({ score }) => score !== undefined)).toSorted()).toEqual(left);
  });

  it('is by the members that a put names, or by nothing', async () => {
    const { put, search, items } = await made();
    await put(notes(600));
    await items.put(['n'], 'named', { title: 'a zebra', text: 'a lion' }, ['title']);
    await items.put(['n'], 'none', { title: 'a zebra' }, false);
    const [first, second] = await search({ query: 'zebra' });
    expect([first?.key, second?.score]).toEqual(['named', undefined]);
    expect((await search({ query: 'lion' }))[0]?.score).toBeUndefined();
  });
});

describe('items of a store from before they were searched', () => {
  async function old(values: readonly Value[]) {
    const backend = memoryBackend();
    const written = await made({
      ...backend,
      close: () => Promise.resolve(),
      write: (operations, options) =>
        backend.write(
          operations.map((each) =>
            each.type === 'put' && each.collection === collections.graphItems.name
              ? { ...each, words: {}, columns: { ...each.columns, searched: null } }
              : each,
          ),
          options,
        ),
    });
    await written.put(values);
    const open = { ...backend, open: () => Promise.resolve() };
    return made(open);
  }

  it('are found, and taken in once', async () => {
    const { search, counts } = await old(notes(600));
    const pages = await search({ filter: { kind: 'page' } });
    expect(keysOf(pages)).toHaveLength(6);
    expect((await search({ query: 'whales' }))[5]?.score).toBeGreaterThan(0);
    const { writes } = counts;
    await search({ query: 'whales' });
    expect(counts.writes).toBe(writes);
  });

  it('are found where two take them in at once', async () => {
    const { search } = await old(notes(600));
    const found = await Promise.all([search({ query: 'whales' }), search({ query: 'whales' })]);
    for (const each of found) expect(each[5]?.score).toBeGreaterThan(0);
  });
});

describe('a store that is moved to another backend', () => {
  it('is searched there as before', async () => {
    const [from, to] = [memoryBackend(), memoryBackend()];
    const isOpen = { open: () => Promise.resolve() };
    const { put } = await made(from);
    await put(notes(600));
    await migrateStore({ ...from, ...isOpen }, to);
    const { search } = await made({ ...to, ...isOpen });
    expect((await search({ query: 'whales' }))[5]?.score).toBeGreaterThan(0);
    expect(await search({ filter: { kind: 'page' } })).toHaveLength(6);
  });
});

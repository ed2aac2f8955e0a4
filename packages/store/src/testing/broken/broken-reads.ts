import { positionOf } from '../../backend/index-order.ts';
import type {
  ColumnValue,
  RecordKey,
  ScanQuery,
  StoreBackend,
  StoredRecord,
  WriteOperation,
} from '../../backend/store-backend.ts';
import { things } from '../case-collections.ts';
import { collect } from '../case-support.ts';
import {
  type BrokenBackend,
  broken,
  brokenQueries,
  brokenRecords,
  patchesAsPuts,
} from './broken-backend.ts';

/** A store that keeps other keys than it is given. */
function brokenKeys(
  defect: string,
  caughtBy: string,
  change: (part: string) => string,
): BrokenBackend {
  const changeKey = (key: RecordKey): RecordKey => key.map(change);
  return broken(defect, caughtBy, (inner) => ({
    get: (collection, keys, part) => inner.get(collection, keys.map(changeKey), part),
    write: (operations) =>
      inner.write(operations.map((operation) => ({ ...operation, key: changeKey(operation.key) }))),
  }));
}

const valuesIn = (index: string, record: StoredRecord): readonly ColumnValue[] =>
  positionOf(things, index, record).values;

async function* scanWithTiesReversed(inner: StoreBackend, query: ScanQuery) {
  let tied: StoredRecord[] = [];
  let values = '';
  for await (const record of inner.scan(query)) {
    const next = JSON.stringify(valuesIn(query.index, record));
    if (next !== values) {
      yield* tied.toReversed();
      tied = [];
    }
    values = next;
    tied.push(record);
  }
  yield* tied.toReversed();
}

async function* scanByUtf16(inner: StoreBackend, query: ScanQuery) {
  const records = await collect(inner.scan(query));
  const nameOf = (record: StoredRecord): string =>
    valuesIn(query.index, record).map(String).join('\u0000');
  const isText = query.index === 'by_label' && query.range === undefined;
  if (isText) records.sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  yield* query.descending === true && isText ? records.toReversed() : records;
}

async function* scanFromTie(inner: StoreBackend, query: ScanQuery) {
  const { after, limit, ...whole } = query;
  const records = await collect(inner.scan(whole));
  const at = records.findIndex(
    (record) => JSON.stringify(valuesIn(query.index, record)) === JSON.stringify(after?.values),
  );
  yield* records.slice(Math.max(0, at)).slice(0, limit);
}

function sharedObjects(inner: StoreBackend): Partial<StoreBackend> {
  const given = new Map<string, StoredRecord>();
  return {
    get: async (...request) => {
      const found = await inner.get(...request);
      return found.map((record) => {
        if (record === undefined) return undefined;
        const name = JSON.stringify([record.key, record.version]);
        const shared = given.get(name) ?? record;
        given.set(name, shared);
        return shared;
      });
    },
  };
}

function keysAsPatterns(inner: StoreBackend): Partial<StoreBackend> {
  const fits = (pattern: RecordKey, key: RecordKey): boolean =>
    pattern.every((part, at) => part === key[at] || part === '%');
  return {
    get: async (collection, keys, part) => {
      const exact = await inner.get(collection, keys, part);
      const first = async (key: RecordKey): Promise<StoredRecord | undefined> => {
        const all = inner.scan({ collection, index: 'key', equal: key.slice(0, 1) });
        return (await collect(all)).find((record) => fits(key, record.key));
      };
      return Promise.all(exact.map(async (found, at) => found ?? first(keys[at] ?? [])));
    },
  };
}

function searchesEveryTenant(inner: StoreBackend): Partial<StoreBackend> {
  const tenants = new Set<string>();
  return {
    write: async (operations) => {
      await inner.write(operations);
      for (const { key } of operations) tenants.add(key[0] ?? '');
    },
    search: async (query) => {
      const all = [...tenants].map((tenant) => inner.search({ ...query, equal: [tenant] }));
      return (await Promise.all(all)).flat();
    },
  };
}

function keepsOldWords(inner: StoreBackend): Partial<StoreBackend> {
  const known = new Map<string, Readonly<Record<string, string>>>();
  const withOldWords = (operation: WriteOperation): WriteOperation => {
    if (operation.type !== 'put') return operation;
    const name = JSON.stringify(operation.key);
    const words = operation.words ?? known.get(name);
    if (words === undefined) return operation;
    known.set(name, words);
    return { ...operation, words };
  };
  return { write: (operations) => inner.write(operations.map(withOldWords)) };
}

function roundsBoundsToBuckets(inner: StoreBackend): Partial<StoreBackend> {
  const width = (index: string): number | undefined =>
    things.indexes.find(({ name }) => name === index)?.tally?.bucketWidth;
  return {
    tally: (query) => {
      const bucket = width(query.index);
      const to = query.range?.to;
      if (bucket === undefined || typeof to !== 'number') return inner.tally(query);
      const edge = (Math.floor(to / bucket) + 1) * bucket;
      return inner.tally({ ...query, range: { ...query.range, to: edge, toExclusive: true } });
    },
  };
}

const noNull = (value: ColumnValue): ColumnValue => value ?? '';

type MarkDefect = (
  inner: StoreBackend,
) => Pick<Partial<StoreBackend>, 'write'> & { readonly readMark: () => string };

/** Defects of the mark that `open` hands over. */
function brokenMarks(defect: string, caughtBy: string, plant: MarkDefect): BrokenBackend {
  return broken(defect, caughtBy, (inner) => {
    const { readMark, ...rest } = plant(inner);
    return {
      ...rest,
      open: async (collections, options) => {
        await inner.open(collections, { ...options, onMark: () => undefined });
        options?.onMark?.(readMark);
      },
    };
  });
}

/** Defects of what is read: keys, records, their order, what is found. Each of them must fail its case. */
export const brokenReadings: readonly BrokenBackend[] = [
  broken(
    'gives ties in the wrong order',
    'scan/gives-ties-in-key-order-the-key-by-code-point',
    (inner) => ({
      scan: (query) => scanWithTiesReversed(inner, query),
    }),
  ),
  broken(
    'repeats ties from page to page',
    'scan/pages-ties-of-by-amount-without-loss-or-repetition-5',
    (inner) => ({
      scan: (query) => scanFromTie(inner, query),
    }),
  ),
  broken('sorts text by UTF-16', 'scan/orders-label-ascending', (inner) => ({
    scan: (query) => scanByUtf16(inner, query),
  })),
  broken(
    'gives out the objects that it keeps',
    'copies/is-not-changed-through-a-record-it-gave',
    sharedObjects,
  ),
  brokenRecords('loses null', 'get/fills-columns-that-were-left-out-with-null', (record) => ({
    ...record,
    columns: Object.fromEntries(
      Object.entries(record.columns).map(([name, value]) => [name, noNull(value)]),
    ),
  })),
  brokenRecords('parses bodies', 'bodies/gives-back-zeros-of-all-kinds-exactly', (record) => ({
    ...record,
    body: record.body === '' ? '' : JSON.stringify(JSON.parse(record.body)),
  })),
  broken(
    'loses the words with a patch',
    'search/keeps-the-words-of-a-patched-record',
    patchesAsPuts,
  ),
  broken(
    'rounds the bounds of a tally to buckets',
    'tally/counts-by-weight-exactly-at-the-edges-of-its-buckets',
    roundsBoundsToBuckets,
  ),
  broken('searches every tenant', 'search/stays-with-the-tenant', searchesEveryTenant),
  broken(
    'takes any word where every one must match',
    'search/finds-only-what-holds-each-word-where-every-one-must-match',
    (inner) => ({ search: (query) => inner.search({ ...query, every: false }) }),
  ),
  broken(
    'keeps the words of a record that was put anew',
    'search/forgets-all-words-where-a-put-gives-none',
    keepsOldWords,
  ),
  broken(
    'takes words of one case for another',
    'search/finds-nothing-for-a-word-in-capitals',
    (inner) => ({
      search: (query) =>
        inner.search({ ...query, words: query.words.map((word) => word.toLowerCase()) }),
    }),
  ),
  broken(
    'takes part of a key for a pattern',
    'keys/tells-apart-patterns-and-what-they-match',
    keysAsPatterns,
  ),
  brokenKeys('folds the case of keys', 'keys/tells-apart-upper-and-lower-case', (part) =>
    part.toLowerCase(),
  ),
  brokenKeys('normalises keys', 'keys/tells-apart-composed-and-decomposed-letters', (part) =>
    part.normalize('NFC'),
  ),
  brokenKeys('trims keys', 'keys/tells-apart-spaces-at-the-end', (part) => part.trimEnd()),
  brokenKeys('cuts long keys', 'keys/tells-apart-long-texts-that-differ-at-the-end', (part) =>
    part.slice(0, 255),
  ),
  brokenQueries(
    'ignores the limit',
    'scan/gives-at-most-2-records-where-the-limit-says-so',
    ({ limit: _, ...query }) => query,
  ),
  brokenQueries(
    'includes exclusive bounds',
    'scan/keeps-to-ranges-of-amount-with-every-kind-of-bound',
    (query) => ({
      ...query,
      ...(query.range === undefined
        ? {}
        : { range: { ...query.range, fromExclusive: false, toExclusive: false } }),
    }),
  ),
  brokenMarks('has one mark for all times', 'mark/is-another-after-each-write-of-its-own', () => ({
    readMark: () => 'same',
  })),
  brokenMarks(
    'does not mark what others write',
    'mark/is-another-after-a-write-of-another-instance',
    (inner) => {
      let writes = 0;
      return {
        readMark: () => String(writes),
        write: async (operations, options) => {
          await inner.write(operations, options);
          writes += 1;
        },
      };
    },
  ),
  brokenMarks('has another mark at each look', 'mark/stays-the-same-while-nobody-writes', () => {
    let looks = 0;
    return { readMark: () => String((looks += 1)) };
  }),
];

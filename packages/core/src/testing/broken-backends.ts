import { CtxError } from '../errors.ts';
import { appendPuts } from '../store/append-records.ts';
import { positionOf } from '../store/index-order.ts';
import { createMemoryPlace, type MemoryPlace, memoryBackend } from '../store/memory-backend.ts';
import type {
  AppendBatch,
  ColumnValue,
  RecordKey,
  ScanQuery,
  StoreBackend,
  StoredRecord,
  WriteOperation,
} from '../store/store-backend.ts';
import { things } from './case-collections.ts';
import { collect } from './case-support.ts';
import type { BackendMaker } from './run-case.ts';

/** A backend with one planted defect. The kit is only worth what it finds here. */
export interface BrokenBackend {
  readonly defect: string;
  /** The case that must fail. */
  readonly caughtBy: string;
  readonly create: BackendMaker['create'];
}

/** The memory backend as if it were durable and shared: one store for each place. It passes every case. */
export function durableMemory(): (context: { readonly place: string }) => StoreBackend {
  const places = new Map<string, MemoryPlace>();
  return ({ place }) => {
    const records = places.get(place) ?? createMemoryPlace();
    places.set(place, records);
    const backend = memoryBackend({ place: records });
    return {
      ...backend,
      supports: { ...backend.supports, durable: true, sharedBetweenProcesses: true },
    };
  };
}

/** The calls that a defect replaces. */
type Defect = (inner: StoreBackend) => Partial<StoreBackend>;

/** The memory backend with a defect. */
export function broken(defect: string, caughtBy: string, plant: Defect): BrokenBackend {
  const create = durableMemory();
  return {
    defect,
    caughtBy,
    create: (context) => {
      const inner = create(context);
      return { ...inner, ...plant(inner) };
    },
  };
}

/** What an append puts, whatever is there. */
function anyPuts(batch: AppendBatch, newest: number): WriteOperation[] {
  return appendPuts(batch, newest).map(({ expectVersion: _, ...put }) => put);
}

/** Defects of `write` that lie in the operations alone. */
function brokenWrites(
  defect: string,
  caughtBy: string,
  change: (operation: WriteOperation) => WriteOperation[],
): BrokenBackend {
  return broken(defect, caughtBy, (inner) => ({
    write: (operations) => inner.write(operations.flatMap(change)),
  }));
}

function withoutLaterWords(operation: WriteOperation): WriteOperation[] {
  if (operation.type !== 'put') return [operation];
  const { wordsLater: _, ...rest } = operation;
  return [rest];
}

/** Defects of `scan` that lie in the query alone. */
function brokenQueries(
  defect: string,
  caughtBy: string,
  change: (query: ScanQuery) => ScanQuery,
): BrokenBackend {
  return broken(defect, caughtBy, (inner) => ({ scan: (query) => inner.scan(change(query)) }));
}

/** Defects of what reads give. */
function brokenRecords(
  defect: string,
  caughtBy: string,
  change: (record: StoredRecord) => StoredRecord,
): BrokenBackend {
  return broken(defect, caughtBy, (inner) => ({
    get: async (...request) => {
      const found = await inner.get(...request);
      return found.map((record) => record && change(record));
    },
    async *scan(query) {
      for await (const record of inner.scan(query)) yield change(record);
    },
  }));
}

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

function withoutExpectation(operation: WriteOperation): WriteOperation[] {
  if (operation.type === 'check') return [];
  const { expectVersion: _, ...rest } = operation;
  return [rest];
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

async function* bareScan(inner: StoreBackend, query: ScanQuery) {
  for await (const record of inner.scan(query)) yield { ...record, columns: {} };
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

function patchesAsPuts(inner: StoreBackend): Partial<StoreBackend> {
  const asPut = async (operation: WriteOperation): Promise<WriteOperation> => {
    if (operation.type !== 'patch') return operation;
    const [before] = await inner.get(operation.collection, [operation.key]);
    if (before === undefined) return operation;
    const columns = { ...before.columns, ...operation.columns };
    return { ...operation, type: 'put', columns, body: '{}' };
  };
  return {
    write: async (operations) => inner.write(await Promise.all(operations.map(asPut))),
  };
}

function checksBeforeWriting(inner: StoreBackend): Partial<StoreBackend> {
  return {
    write: async (operations) => {
      for (const { collection, key, expectVersion } of operations) {
        const [record] = await inner.get(collection, [key]);
        if (expectVersion !== undefined && expectVersion !== (record?.version ?? 0)) {
          throw new CtxError('CTX_STORE_CONFLICT', 'another version');
        }
      }
      await inner.write(operations.flatMap(withoutExpectation));
    },
  };
}

function looksBeforeWriting(inner: StoreBackend): Partial<StoreBackend> {
  return {
    write: async (operations, { emptyRanges = [] } = {}) => {
      for (const range of emptyRanges) {
        if ((await collect(inner.scan({ ...range, limit: 1 }))).length === 0) continue;
        throw new CtxError('CTX_STORE_CONFLICT', 'not empty');
      }
      await inner.write(operations);
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

/** Each of them must fail its case. */
export const brokenBackends: readonly BrokenBackend[] = [
  brokenWrites(
    'ignores expected versions',
    'write/conflicts-on-a-put-that-expects-an-older-version-and-changes-nothing',
    withoutExpectation,
  ),
  broken(
    'writes a batch piece by piece',
    'write/undoes-the-batch-where-operation-5-of-5-conflicts',
    (inner) => ({
      write: async (operations) => {
        for (const operation of operations) await inner.write([operation]);
      },
    }),
  ),
  broken(
    'checks versions before it writes, not while',
    'concurrency/lets-exactly-one-of-ten-writers-of-one-version-win-round-by-round',
    checksBeforeWriting,
  ),
  broken(
    'writes though a range is not empty',
    'empty/refuses-to-write-where-an-open-range-holds-a-record',
    (inner) => ({ write: (operations) => inner.write(operations) }),
  ),
  broken(
    'looks for empty ranges before it writes, not while',
    'empty/lets-exactly-one-of-ten-writers-into-an-empty-range',
    looksBeforeWriting,
  ),
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
  brokenRecords(
    'never counts versions',
    'write/creates-at-version-1-and-counts-up-with-every-put',
    (record) => ({
      ...record,
      version: 1,
    }),
  ),
  brokenRecords('parses bodies', 'bodies/gives-back-zeros-of-all-kinds-exactly', (record) => ({
    ...record,
    body: record.body === '' ? '' : JSON.stringify(JSON.parse(record.body)),
  })),
  broken(
    'wipes the body with a patch',
    'write/patches-the-columns-given-and-keeps-the-rest',
    patchesAsPuts,
  ),
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
    'keeps the words of a record that was put anew',
    'search/forgets-all-words-where-a-put-gives-none',
    keepsOldWords,
  ),
  brokenWrites(
    'forgets words that come later',
    'later/finds-words-that-were-left-for-later-of-every-field',
    withoutLaterWords,
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
  brokenQueries('takes no limit for 100', 'durability/keeps-2-000-records', (query) => ({
    limit: 100,
    ...query,
  })),
  broken(
    'ends all that is read at once with its first page',
    'parts/gives-all-at-once-what-it-gives-step-by-step',
    (inner) => ({
      scan: (query) => ({
        [Symbol.asyncIterator]: () => inner.scan(query)[Symbol.asyncIterator](),
        all: async (map) => (await collect(inner.scan(query))).slice(0, 500).map((one) => map(one)),
      }),
    }),
  ),
  broken(
    'reads no column where some are named',
    'parts/gives-the-columns-that-are-asked-for-and-those-of-the-index-at-least',
    (inner) => ({
      scan: (query) => (query.columns === undefined ? inner.scan(query) : bareScan(inner, query)),
    }),
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
  broken(
    'keeps to itself what others write',
    'watch/tells-what-another-instance-writes',
    (inner) => ({
      open: (collections, { watch: _, ...options } = {}) => inner.open(collections, options),
    }),
  ),
  broken(
    'begins each append anew',
    'append/gives-the-first-of-a-place-the-number-1-and-each-the-next',
    (inner) => ({
      write: (operations, { appends = [], ...options } = {}) =>
        inner.write([...operations, ...appends.flatMap((batch) => anyPuts(batch, 0))], options),
    }),
  ),
  broken(
    'counts what it appends in itself',
    'append/loses-and-doubles-no-number-where-several-instances-write-at-once',
    (inner) => {
      let newest = 0;
      return {
        write: (operations, { appends = [], ...options } = {}) => {
          const puts = appends.flatMap((batch) => anyPuts(batch, newest));
          newest += puts.length;
          return inner.write([...operations, ...puts], options);
        },
      };
    },
  ),
  broken(
    'appends in a write of its own, before the operations',
    'append/appends-nothing-where-an-operation-conflicts-and-leaves-no-gap',
    (inner) => ({
      write: async (operations, { appends = [], ...options } = {}) => {
        await inner.write([], { appends });
        await inner.write(operations, options);
      },
    }),
  ),
  broken('has one mark for all times', 'mark/is-another-after-each-write-of-its-own', () => ({
    mark: () => 'same',
  })),
  broken(
    'does not mark what others write',
    'mark/is-another-after-a-write-of-another-instance',
    (inner) => {
      let writes = 0;
      return {
        mark: () => String(writes),
        write: async (operations, options) => {
          await inner.write(operations, options);
          writes += 1;
        },
      };
    },
  ),
  broken('has another mark at each look', 'mark/stays-the-same-while-nobody-writes', () => {
    let looks = 0;
    return { mark: () => String((looks += 1)) };
  }),
  broken('works on after close', 'open/refuses-get-after-close', () => ({
    close: async () => undefined,
  })),
  broken(
    'throws errors without a code',
    'write/conflicts-on-a-check-of-an-older-version-and-changes-nothing',
    (inner) => ({
      write: (operations) =>
        inner.write(operations).catch((error: unknown) => {
          throw new Error(String(error));
        }),
    }),
  ),
  {
    defect: 'forgets everything on close',
    caughtBy: 'durability/keeps-records-with-version-columns-and-body',
    create: (context) => durableMemory()(context),
  },
];

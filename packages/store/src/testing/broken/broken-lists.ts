import { fieldValue, positionOf } from '../../backend/index-order.ts';
import { listsOf } from '../../backend/record-lists.ts';
import type {
  ColumnValue,
  RecordLists,
  StoreBackend,
  StoredRecord,
} from '../../backend/store-backend.ts';
import type { ListQuery } from '../../backend/record-lists.ts';
import { things } from '../case-collections.ts';
import { collect } from '../case-support.ts';
import { type BrokenBackend, broken } from './broken-backend.ts';

function brokenLists(
  defect: string,
  caughtBy: string,
  lists: (inner: StoreBackend, query: ListQuery) => Promise<RecordLists[]>,
): BrokenBackend {
  return broken(defect, caughtBy, (inner) => ({
    scan: (query) => ({
      [Symbol.asyncIterator]: () => inner.scan(query)[Symbol.asyncIterator](),
      lists: (names, size) => lists(inner, { ...query, names, size }),
    }),
  }));
}

const listsOfThings = (
  records: readonly StoredRecord[],
  query: ListQuery,
  change: (value: ColumnValue) => ColumnValue = (value) => value,
): RecordLists[] =>
  listsOf(records, query, (record, name) => change(fieldValue(things, record, name)));

async function scanned(inner: StoreBackend, { names: _n, size: _s, ...query }: ListQuery) {
  return collect(inner.scan(query));
}

/** Reads the first records, lets others write, and goes on after them. */
async function listsInSteps(inner: StoreBackend, query: ListQuery): Promise<RecordLists[]> {
  const { names: _n, size: _s, ...scan } = query;
  const first = await collect(inner.scan({ ...scan, limit: 500 }));
  await new Promise((resolve) => setImmediate(resolve));
  const last = first.at(-1);
  if (last === undefined) return [];
  const after = positionOf(things, query.index, last);
  const rest = await collect(inner.scan({ ...scan, after }));
  return listsOfThings([...first, ...rest], query);
}

/** Defects of lists. */
export const brokenListBackends: readonly BrokenBackend[] = [
  brokenLists(
    'keeps fifteen digits in a list',
    'lists/gives-numbers-to-the-last-digit',
    async (inner, query) =>
      listsOfThings(await scanned(inner, query), query, (value) =>
        typeof value === 'number' && !Number.isInteger(value)
          ? Number(value.toPrecision(15))
          : value,
      ),
  ),
  brokenLists(
    'ends lists with their first part',
    'lists/gives-what-a-scan-gives-in-its-order-and-in-parts-of-the-size',
    async (inner, query) => listsOfThings(await scanned(inner, query), query).slice(0, 1),
  ),
  brokenLists(
    'lists records of several moments',
    'unlisted/gives-records-of-one-moment-while-others-move-them',
    listsInSteps,
  ),
];

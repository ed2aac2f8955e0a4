import { CtxError } from '@ctx/core';
import { appendPuts } from '../../backend/append-records.ts';
import type {
  AppendBatch,
  ScanQuery,
  StoreBackend,
  WriteOperation,
} from '../../backend/store-backend.ts';
import { collect } from '../case-support.ts';
import {
  type BrokenBackend,
  broken,
  brokenQueries,
  brokenRecords,
  durableMemory,
  patchesAsPuts,
} from './broken-backend.ts';

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

function withoutExpectation(operation: WriteOperation): WriteOperation[] {
  if (operation.type === 'check') return [];
  const { expectVersion: _, ...rest } = operation;
  return [rest];
}

async function* bareScan(inner: StoreBackend, query: ScanQuery) {
  for await (const record of inner.scan(query)) yield { ...record, columns: {} };
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

/** Defects of what is written, and of opening, keeping and closing. Each of them must fail its case. */
export const brokenWritings: readonly BrokenBackend[] = [
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
  brokenRecords(
    'never counts versions',
    'write/creates-at-version-1-and-counts-up-with-every-put',
    (record) => ({
      ...record,
      version: 1,
    }),
  ),
  broken(
    'wipes the body with a patch',
    'write/patches-the-columns-given-and-keeps-the-rest',
    patchesAsPuts,
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

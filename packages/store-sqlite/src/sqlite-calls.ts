import { CtxError } from '@ctx/core';
import { checkedCalls, type StoreBackend, type WriteOperation } from '@ctx/store/backend';
import type { OpenState } from './driver/open-state.ts';
import { readLists } from './read/read-lists.ts';
import { pagedScan } from './read/read-page.ts';
import { getRecords, tallyRecords } from './read/read-records.ts';
import { searchRecords } from './read/search-records.ts';
import type { CollectionTable } from './schema/collection-table.ts';
import type { SqliteStoreOptions } from './sqlite-options.ts';
import { eraseWordsInSteps, markWords } from './write/erase-residue.ts';
import { prepareAppends } from './write/append-records.ts';
import { prepareRanges } from './write/write-ranges.ts';
import { applyOperations, prepareOperations } from './write/write-records.ts';

/** As errors and reports call the backend. */
export const name = 'store-sqlite';

/** What the backend promises. */
export const supports: StoreBackend['supports'] = {
  durable: true,
  sharedBetweenProcesses: true,
  search: true,
  watch: true,
};

type Calls = Pick<StoreBackend, 'get' | 'write' | 'scan' | 'tally' | 'search'>;

/** The open store. Throws while it is not. */
type Opened = () => OpenState;

/** Collections whose index of words is to keep nothing that was deleted. */
function erasedCollections(
  operations: readonly WriteOperation[],
  tableOf: (collection: string) => CollectionTable,
): ReadonlySet<string> {
  const erased = operations.filter(
    (one) =>
      one.type === 'delete' &&
      one.erases === true &&
      tableOf(one.collection).searchFields.length > 0,
  );
  return new Set(erased.map(({ collection }) => collection));
}

/** The calls of an open store. A write that does not say is made for a power cut or for the death of the process, as `durability` says. */
export function callsOn(
  opened: Opened,
  { durability = 'process' }: Pick<SqliteStoreOptions, 'durability'>,
): Calls {
  const tableOf = (collection: string): CollectionTable => {
    const table = opened().tables.get(collection);
    if (table !== undefined) return table;
    throw new CtxError('CTX_INVALID_INPUT', 'the store has no collection of that name');
  };
  const calls: Calls = {
    get: (collection, keys, part = 'whole') =>
      getRecords(opened().connection, tableOf(collection), { keys, part }),
    scan: (query) => ({
      // Whoever closes the store in the middle ends the scan at the next page.
      ...pagedScan(() => ({
        connection: opened().connection,
        table: tableOf(query.collection),
        query,
      })),
      lists: (names, size) =>
        readLists(opened().connection, tableOf(query.collection), { ...query, names, size }),
    }),
    tally: (query) => tallyRecords(opened().connection, tableOf(query.collection), query),
    search: (query) => searchRecords(opened().connection, tableOf(query.collection), query),
    async write(operations, options = {}) {
      const { connection } = opened();
      const doRanges = prepareRanges(tableOf, options);
      const doAppends = prepareAppends(tableOf, options.appends);
      const prepared = await prepareOperations(operations, tableOf);
      const level = options.durability ?? durability;
      const erased = erasedCollections(operations, tableOf);
      const apply = (): Promise<void> =>
        connection.transaction(level, async () => {
          await doRanges(connection);
          await applyOperations(connection, prepared);
          await doAppends(connection);
          for (const collection of erased) markWords(connection, collection);
        });
      const mayUseReserve = operations.some(({ type }) => type === 'delete');
      await connection.run(apply, { mayUseReserve });
      for (const collection of erased) {
        await eraseWordsInSteps(connection, collection, { durability: level });
      }
    },
  };
  return checkedCalls(calls, () => opened().definitions);
}

import { CtxError } from '@ctx/core';
import {
  checkKeys,
  checkLists,
  checkScan,
  checkSearch,
  checkTally,
  checkWrite,
  type RecordScan,
  type StoreBackend,
  type StoreSupport,
  searchableWords,
} from '@ctx/store/backend';
import type { OpenState } from './driver/open-state.ts';
import { readLists } from './read/read-lists.ts';
import { type PagedScan, pagedScan } from './read/read-page.ts';
import { getRecords, searchRecords, tallyRecords } from './read/read-records.ts';
import type { CollectionTable } from './schema/collection-table.ts';
import type { SqliteStoreOptions } from './sqlite-options.ts';
import { prepareAppends } from './write/append-records.ts';
import { prepareRanges } from './write/write-ranges.ts';
import { applyOperations, prepareOperations } from './write/write-records.ts';

/** As errors and reports call the backend. */
export const name = 'store-sqlite';

/** What the backend promises. */
export const supports: StoreSupport = {
  durable: true,
  sharedBetweenProcesses: true,
  search: true,
  watch: true,
};

/** The open store. Throws while it is not. */
type Opened = () => OpenState;

type TableOf = (name: string) => CollectionTable;

type Reads = Pick<StoreBackend, 'get' | 'scan' | 'tally' | 'search'>;

/** Finds collections of the open store. Throws: `CTX_INVALID_INPUT` where it has none of that name. */
function tablesOf(opened: Opened): TableOf {
  return (name) => {
    const table = opened().tables.get(name);
    if (table !== undefined) return table;
    throw new CtxError('CTX_INVALID_INPUT', 'the store has no collection of that name');
  };
}

/** What changes nothing. */
export function readsOn(opened: Opened): Reads {
  const tableOf = tablesOf(opened);
  return {
    async get(collection, keys, part) {
      const table = tableOf(collection);
      checkKeys(table.definition, keys);
      return await getRecords(opened().connection, table, { keys, part: part ?? 'whole' });
    },
    scan(query) {
      // Whoever closes the store in the middle ends the scan at the next page.
      const begin = (): PagedScan => {
        const table = tableOf(query.collection);
        checkScan(table.definition, query);
        return { connection: opened().connection, table, query };
      };
      const lists: RecordScan['lists'] = async (names, size) => {
        const table = tableOf(query.collection);
        const wanted = { ...query, names, size };
        checkLists(table.definition, wanted);
        return await readLists(opened().connection, table, wanted);
      };
      return { ...pagedScan(begin), lists };
    },
    async tally(query) {
      const table = tableOf(query.collection);
      checkTally(table.definition, query);
      return await tallyRecords(opened().connection, table, query);
    },
    async search(query) {
      const table = tableOf(query.collection);
      checkSearch(table.definition, query);
      const words = searchableWords(query);
      return await searchRecords(opened().connection, table, { ...query, words });
    },
  };
}

/** What changes the store, for a power cut or for the death of the process where a write does not say. */
export function writesOn(
  opened: Opened,
  { durability = 'process' }: Pick<SqliteStoreOptions, 'durability'>,
): Pick<StoreBackend, 'write'> {
  const tableOf = tablesOf(opened);
  return {
    async write(operations, options = {}) {
      const { connection, definitions } = opened();
      checkWrite(definitions, { operations, options });
      const doRanges = prepareRanges(tableOf, options);
      const doAppends = prepareAppends(tableOf, options.appends);
      const prepared = await prepareOperations(operations, tableOf);
      const apply = (): Promise<void> =>
        connection.transaction(options.durability ?? durability, async () => {
          await doRanges(connection);
          await applyOperations(connection, prepared);
          await doAppends(connection);
        });
      const mayUseReserve = operations.some(({ type }) => type === 'delete');
      await connection.run(apply, { mayUseReserve });
    },
  };
}

import { CtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  checkedCalls,
  type StoreBackend,
  type WriteOperation,
  type WriteOptions,
} from '@ctx/store/backend';
import { allSent } from './driver/all-sent.ts';
import { tryAgain } from './driver/retry.ts';
import type { SqlSession } from './driver/sql-driver.ts';
import { getRecords } from './read/get-records.ts';
import { readLists } from './read/read-lists.ts';
import { pagedScan, readPages } from './read/read-pages.ts';
import { searchRecords } from './read/search-records.ts';
import { tallyRecords } from './read/tally.ts';
import type { CollectionTable } from './schema/collection-table.ts';
import { prepareAppends } from './write/append-records.ts';
import type { WriteLog } from './write/notes.ts';
import type { WriteNotices } from './write/notify-writes.ts';
import { operationsByRecord } from './write/plan-write.ts';
import { type PreparedWrite, runWrite, type SendChanges } from './write/run-write.ts';
import { aloneWrite } from './write/single-write.ts';
import { prepareRanges } from './write/write-ranges.ts';
import { blindChanges, planChanges } from './write/write-records.ts';

/** What an open store knows of its collections. */
export interface OpenState {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  readonly tables: ReadonlyMap<string, CollectionTable>;
  /** How the tables are spoken to. */
  readonly log: WriteLog;
  /** Tells others of the writes. */
  readonly notices: WriteNotices;
}

/** What the calls of an open store work with. */
export interface Calling {
  readonly readOnly: boolean;
  readonly opened: () => OpenState;
  /** Runs a call and says where it failed. */
  readonly call: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Told of every write that was done, of its tenant and the number of its operations. */
  readonly onWrite: (log: WriteLog, tenant: string, operations: number) => void;
}

type Calls = Pick<StoreBackend, 'get' | 'write' | 'scan' | 'tally' | 'search'>;
type TableOf = (name: string) => CollectionTable;

/** The tenant of the first that a write names. */
function tenantOf(
  operations: readonly WriteOperation[],
  { emptyRanges = [], patchRanges = [], appends = [] }: WriteOptions,
): string {
  const ranges = [...emptyRanges, ...patchRanges].map(({ equal }) => equal);
  const keys = [
    ...operations.map(({ key }) => key),
    ...ranges,
    ...appends.map(({ place }) => place),
  ];
  return String(keys[0]?.[0] ?? '');
}

/** Both, one behind the other; `undefined` where one of them has to look first. */
function guarded(
  guard: SendChanges | undefined,
  blind: SendChanges | undefined,
): SendChanges | undefined {
  if (guard === undefined || blind === undefined) return undefined;
  return (session) => allSent([guard(session), blind(session)]);
}

/** Returns `undefined` if there is nothing to do. */
function prepareWrite(
  tableOf: TableOf,
  { operations, options }: WriteCall,
): PreparedWrite | undefined {
  const { isNothing, locks, apply, guard } = prepareRanges(tableOf, options);
  const finish = prepareAppends(tableOf, options.appends ?? []);
  if (isNothing && finish === undefined && operations.length === 0) return undefined;
  const records = operationsByRecord(operations, tableOf);
  const alone = isNothing && finish === undefined ? aloneWrite(records) : undefined;
  return {
    tenant: tenantOf(operations, options),
    locks,
    isPower: options.durability === 'power',
    alone,
    // Where one statement does it and did nothing, there is something to look at.
    blind: alone === undefined ? guarded(guard, blindChanges(records)) : undefined,
    finish,
    look: async (session, tries) => {
      await apply(session);
      return planChanges(session, records, tries);
    },
  };
}

interface WriteCall {
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions;
}

async function writeOn(
  { opened, call, onWrite, readOnly }: Calling,
  tableOf: TableOf,
  given: WriteCall,
): Promise<void> {
  const { operations, options } = given;
  const write = prepareWrite(tableOf, given);
  if (write === undefined) return;
  if (readOnly) throw new CtxError('CTX_STORE_READ_ONLY', 'the store was opened to be read');
  const { log, notices } = opened();
  await call(() => runWrite(log, write));
  onWrite(log, write.tenant, operations.length);
  notices.tell(operations, options.appends);
}

/** Statements that only read are tried again wherever they broke. */
function readingOn({ opened, call }: Calling): SqlSession {
  const read = <Rows>(work: (driver: SqlSession) => Promise<Rows>): Promise<Rows> => {
    const { driver } = opened().log;
    return call(() => tryAgain(() => work(driver)));
  };
  return {
    query: (sql, values) => read((driver) => driver.query(sql, values)),
    lists: (sql, values, options) => read((driver) => driver.lists(sql, values, options)),
    script: (sql) => opened().log.driver.script(sql),
  };
}

/** The calls of a backend, once it is open. */
export function callsOn(calling: Calling): Calls {
  const { opened } = calling;
  const tableOf: TableOf = (name) => {
    const table = opened().tables.get(name);
    if (table !== undefined) return table;
    throw new CtxError('CTX_INVALID_INPUT', 'the store has no collection of that name');
  };
  const reading = readingOn(calling);
  const calls: Calls = {
    get: (collection, keys, part = 'whole') =>
      getRecords(reading, tableOf(collection), { keys, part }),
    write: (operations, options = {}) => writeOn(calling, tableOf, { operations, options }),
    scan: (query) => ({
      ...pagedScan(
        () => readPages(reading, tableOf(query.collection), structuredClone(query)),
        opened,
      ),
      lists: (names, size) =>
        readLists(reading, tableOf(query.collection), { ...query, names, size }),
    }),
    tally: (query) => tallyRecords(reading, tableOf(query.collection), query),
    search: (query) => searchRecords(reading, tableOf(query.collection), query),
  };
  return checkedCalls(calls, () => opened().definitions);
}

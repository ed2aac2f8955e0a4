import {
  checkCollections,
  checkKeys,
  checkOperations,
  checkScan,
  checkSearch,
  checkTally,
  type CollectionDefinition,
  CtxError,
  searchableWords,
  type StoreBackend,
  type StoreSupport,
} from '@ctx/core';
import { type CollectionTable, collectionTable } from './collection-table.ts';
import { getRecords } from './get-records.ts';
import { quoteName } from './names.ts';
import { openTables, type TablesPlace } from './open-tables.ts';
import { pgDriver, type PoolOptions } from './pg-driver.ts';
import { operationsByRecord } from './plan-write.ts';
import { storeError } from './postgres-errors.ts';
import { readPages } from './read-pages.ts';
import { runRead, runWrite } from './run-write.ts';
import { searchRecords } from './search-records.ts';
import type { SqlDriver } from './sql-driver.ts';
import { tallyRecords } from './tally.ts';
import { writeRecords } from './write-records.ts';

/** Where the store is, and how it is reached. */
export interface PostgresStoreOptions extends PoolOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  readonly url?: string;
  /** In place of `url`: whatever speaks to a PostgreSQL. It is closed with the store. */
  readonly driver?: SqlDriver;
  /** The schema of the tables; made where it is missing. Default `ctx`. */
  readonly schema?: string;
}

interface OpenState {
  readonly definitions: ReadonlyMap<string, CollectionDefinition>;
  readonly tables: ReadonlyMap<string, CollectionTable>;
}

const supports: StoreSupport = { durable: true, sharedBetweenProcesses: true, search: true };

/** Names of schemas, as ctx makes them: no sign of theirs means anything to SQL. */
const schemaPattern = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

/** Where the store is, without user and password. */
function placeOfUrl(url: string, schema: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname} (schema ${schema})`;
  } catch {
    return `of PostgreSQL (schema ${schema})`;
  }
}

function driverOf({ url, driver, ...pool }: PostgresStoreOptions): SqlDriver {
  if (driver !== undefined) return driver;
  if (typeof url === 'string' && /^postgres(ql)?:\/\//.test(url)) return pgDriver(url, pool);
  throw new CtxError('CTX_INVALID_INPUT', 'url must begin with postgres://');
}

/** What the calls of an open store work with. */
interface Calling {
  readonly driver: SqlDriver;
  readonly schema: string;
  readonly opened: () => OpenState;
  /** Runs a call and says where it failed. */
  readonly call: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

type Calls = Pick<StoreBackend, 'get' | 'write' | 'scan' | 'tally' | 'search'>;

function callsOn({ driver, schema, opened, call }: Calling): Calls {
  const tableOf = (name: string): CollectionTable => {
    const table = opened().tables.get(name);
    if (table !== undefined) return table;
    throw new CtxError('CTX_INVALID_INPUT', 'the store has no collection of that name');
  };
  const reading: Pick<SqlDriver, 'query' | 'script'> = {
    query: (sql, values) => call(() => runRead(() => driver.query(sql, values))),
    script: (sql) => driver.script(sql),
  };
  return {
    async get(collection, keys, part = 'whole') {
      const table = tableOf(collection);
      checkKeys(table.definition, keys);
      return await getRecords(reading, table, { keys, part });
    },
    async write(operations) {
      checkOperations(opened().definitions, operations);
      if (operations.length === 0) return;
      const records = operationsByRecord(structuredClone(operations), tableOf);
      await call(() => runWrite({ driver, schema }, (session) => writeRecords(session, records)));
    },
    async *scan(query) {
      const table = tableOf(query.collection);
      checkScan(table.definition, query);
      for await (const record of readPages(reading, table, structuredClone(query))) {
        yield record;
        opened();
      }
    },
    async tally(query) {
      const table = tableOf(query.collection);
      checkTally(table.definition, query);
      return await tallyRecords(reading, table, query);
    },
    async search(query) {
      const table = tableOf(query.collection);
      checkSearch(table.definition, query);
      const words = searchableWords(query.words);
      return await searchRecords(reading, table, { ...query, words });
    },
  };
}

/** Where the tables of a store are, and what it is called in messages. */
interface StorePlace extends TablesPlace {
  readonly name: string;
}

function placeOf(options: PostgresStoreOptions): StorePlace {
  const { schema: schemaName = 'ctx', url = '' } = options;
  if (!schemaPattern.test(schemaName)) {
    throw new CtxError('CTX_INVALID_INPUT', 'schema must be a plain name of at most 63 signs');
  }
  const name = placeOfUrl(url, schemaName);
  return { driver: driverOf(options), schemaName, schema: quoteName(schemaName), name };
}

async function openState(
  place: StorePlace,
  wanted: readonly CollectionDefinition[],
): Promise<OpenState> {
  const merged = await runRead(() => openTables(place, wanted));
  const definitions = new Map(wanted.map((one) => [one.name, one]));
  const tables = merged.map((one) => {
    const definition = definitions.get(one.name) ?? one;
    return [one.name, collectionTable(definition, place.schema)] as const;
  });
  return { definitions, tables: new Map(tables) };
}

/**
 * Keeps records in PostgreSQL, in tables that a person can read.
 * Contract: any number of backends, processes and machines may use one schema.
 * Throws: `CTX_INVALID_INPUT` for options that make no sense.
 */
export function postgresBackend(options: PostgresStoreOptions): StoreBackend {
  const place = placeOf(options);
  let phase: 'new' | 'opening' | 'open' | 'closed' = 'new';
  let state: OpenState | undefined;
  let opening: Promise<OpenState> | undefined;

  const opened = (): OpenState => {
    if (phase === 'open' && state !== undefined) return state;
    const reason = phase === 'closed' ? 'is closed' : 'is not open yet';
    throw new CtxError('CTX_STORE_CLOSED', `the store ${place.name} ${reason}`);
  };
  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (phase === 'closed') opened();
      throw storeError(error, place.name);
    }
  };

  return {
    ...{ contract: 1, name: 'store-postgres', supports },
    ...callsOn({ ...place, opened, call }),
    async open(collections) {
      if (phase === 'closed') opened();
      if (phase !== 'new') throw new CtxError('CTX_INVALID_INPUT', 'the store is open already');
      checkCollections(collections);
      phase = 'opening';
      opening = call(() => openState(place, structuredClone(collections)));
      try {
        state = await opening;
        phase = 'open';
      } catch (error) {
        phase = 'new';
        throw error;
      }
    },
    async close() {
      // An open that is under way ends first, so that it leaves nothing open.
      await opening?.catch(() => undefined);
      if (phase === 'closed') return;
      phase = 'closed';
      state = undefined;
      await place.driver.close();
    },
  };
}

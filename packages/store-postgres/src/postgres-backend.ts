import {
  checkCollections,
  type CollectionDefinition,
  CtxError,
  type StoreBackend,
  type StoreSupport,
  type WriteWatch,
} from '@ctx/core';
import { collectionTable } from './collection-table.ts';
import { eraseResidue } from './erase-residue.ts';
import { quoteName } from './names.ts';
import { startForgetting } from './notes.ts';
import { startNotices } from './notify-writes.ts';
import { openTables, type TablesPlace } from './open-tables.ts';
import { pgDriver, type PoolOptions } from './pg-driver.ts';
import { callsOn, type OpenState } from './postgres-calls.ts';
import { storeError } from './postgres-errors.ts';
import { type PostgresUrl, readPostgresUrl } from './postgres-url.ts';
import { readSchemaIfMade } from './read-schema.ts';
import type { SqlDriver } from './sql-driver.ts';
import { lockedDriver } from './tenant-lock.ts';
import { tryAgain } from './try-again.ts';

/** Where the store is, and how it is reached. */
export interface PostgresStoreOptions extends PoolOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`; `schema` may stand among its parameters. */
  readonly url?: string;
  /** In place of `url`: whatever speaks to a PostgreSQL. It is closed with the store. */
  readonly driver?: SqlDriver;
  /** The schema of the tables; made where it is missing. Default: that of `url`, else `ctx`. */
  readonly schema?: string;
  /** Read what there is and make nothing; writes end with `CTX_STORE_READ_ONLY`. Default false. */
  readonly readOnly?: boolean;
  /**
   * Rewrites the tables when the store is closed, so that they hold no byte of deleted records. Default false. Nobody else may hold
   * them then: after 5 s of waiting `close` rejects with `CTX_STORE_BUSY`. The server's log, replicas and backups are its operator's.
   */
  readonly eraseOnClose?: boolean;
}

const supports: StoreSupport = {
  ...{ durable: true, sharedBetweenProcesses: true, search: true },
  ...{ emptyRanges: true, patchRanges: true },
};

/** Names of schemas, as ctx makes them: no sign of theirs means anything to SQL. */
const schemaPattern = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

function driverOf(options: PostgresStoreOptions, url: PostgresUrl | undefined): SqlDriver {
  if (options.driver !== undefined) return options.driver;
  if (url !== undefined) return pgDriver(url.connection, options);
  throw new CtxError('CTX_INVALID_INPUT', 'url must begin with postgres://');
}

/** Where the tables of a store are, and what it is called in messages. */
interface StorePlace extends TablesPlace {
  readonly name: string;
}

function placeOf(options: PostgresStoreOptions): StorePlace {
  const url = options.url === undefined ? undefined : readPostgresUrl(options.url);
  const schemaName = options.schema ?? url?.schema ?? 'ctx';
  if (!schemaPattern.test(schemaName)) {
    throw new CtxError('CTX_INVALID_INPUT', 'schema must be a plain name of at most 63 signs');
  }
  const name = `${url?.place ?? 'of PostgreSQL'} (schema ${schemaName})`;
  const { readOnly = false } = options;
  const driver = driverOf(options, url);
  return { driver, readOnly, schemaName, schema: quoteName(schemaName), name };
}

async function openState(
  place: StorePlace,
  wanted: readonly CollectionDefinition[],
  watch: WriteWatch | undefined,
): Promise<OpenState> {
  const { merged, isLocked } = await tryAgain(() => openTables(place, wanted));
  const definitions = new Map(wanted.map((one) => [one.name, one]));
  const tables = merged.map((one) => {
    const definition = definitions.get(one.name) ?? one;
    return [one.name, collectionTable(definition, place.schema)] as const;
  });
  const driver = isLocked ? lockedDriver(place.driver) : place.driver;
  const notices = await startNotices(place, watch);
  return { definitions, tables: new Map(tables), log: { driver, schema: place.schema }, notices };
}

/**
 * Whether a store was made there already. Cost: one connection. Throws: `CTX_STORE_IO` where the server cannot be reached or refuses.
 */
export async function postgresStoreExists(options: PostgresStoreOptions): Promise<boolean> {
  const place = placeOf({ ...options, maxConnections: 1 });
  try {
    return (await readSchemaIfMade(place.driver, place)) !== undefined;
  } catch (error) {
    throw storeError(error, place.name);
  } finally {
    await place.driver.close();
  }
}

/** Takes what was deleted out of these tables, then ends the connections. */
async function endWith(
  { driver, name }: StorePlace,
  tables: OpenState['tables'] = new Map(),
): Promise<void> {
  try {
    if (tables.size > 0) await eraseResidue(driver, [...tables.values()]);
  } catch (error) {
    throw storeError(error, name);
  } finally {
    await driver.close();
  }
}

/**
 * Keeps records in PostgreSQL, in tables that a person can read.
 * Contract: any number of backends, processes and machines may use one schema.
 * Throws: `CTX_INVALID_INPUT` for options that make no sense.
 */
export function postgresBackend(options: PostgresStoreOptions): StoreBackend {
  const place = placeOf(options);
  const forgetting = startForgetting();
  const isErasing = options.eraseOnClose === true && !place.readOnly;
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
    ...{ contract: 1, name: 'store-postgres' },
    supports: { ...supports, watch: place.driver.listen !== undefined },
    ...callsOn({ readOnly: place.readOnly, opened, call, onWrite: forgetting.count }),
    async open(collections, { watch } = {}) {
      if (phase === 'closed') opened();
      if (phase !== 'new') throw new CtxError('CTX_INVALID_INPUT', 'the store is open already');
      checkCollections(collections);
      phase = 'opening';
      opening = call(() => openState(place, structuredClone(collections), watch));
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
      const before = state;
      state = undefined;
      await before?.notices.end();
      await forgetting.end();
      await endWith(place, isErasing ? before?.tables : undefined);
    },
  };
}

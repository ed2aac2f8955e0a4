import { CtxError } from '@ctx/core';
import { quoteName } from '@ctx/store/sql';
import { type PoolOptions, pgDriver } from './driver/pg-driver.ts';
import { type PostgresUrl, readPostgresUrl } from './driver/postgres-url.ts';
import type { SqlDriver } from './driver/sql-driver.ts';
import type { TablesPlace } from './schema/open-tables.ts';

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
   * them then: after 5 s of waiting for them, or for older transactions of the server, `close` rejects with
   * `CTX_STORE_BUSY`. The server's log, replicas and backups are its operator's.
   */
  readonly eraseOnClose?: boolean;
}

/** Names of schemas, as ctx makes them: no sign of theirs means anything to SQL. */
const schemaPattern = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

function driverOf(options: PostgresStoreOptions, url: PostgresUrl | undefined): SqlDriver {
  if (options.driver !== undefined) return options.driver;
  if (url !== undefined) return pgDriver(url.connection, options);
  throw new CtxError('CTX_INVALID_OPTION', 'url must begin with postgres://');
}

/** Where the tables of a store are, and what it is called in messages. */
export interface StorePlace extends TablesPlace {
  readonly name: string;
}

/**
 * Reads the options.
 * @throws `CTX_INVALID_OPTION` where they make no sense.
 */
export function placeOf(options: PostgresStoreOptions): StorePlace {
  const url = options.url === undefined ? undefined : readPostgresUrl(options.url);
  const schemaName = options.schema ?? url?.schema ?? 'ctx';
  if (!schemaPattern.test(schemaName)) {
    throw new CtxError('CTX_INVALID_OPTION', 'schema must be a plain name of at most 63 signs');
  }
  const name = `${url?.place ?? 'of PostgreSQL'} (schema ${schemaName})`;
  const { readOnly = false } = options;
  const driver = driverOf(options, url);
  return { driver, readOnly, schemaName, schema: quoteName(schemaName), name };
}

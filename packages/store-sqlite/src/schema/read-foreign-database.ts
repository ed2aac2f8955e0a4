import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CtxError } from '@ctx/core';
import { loadDriver } from '../driver/driver.ts';
import type { SqliteDatabase, SqliteRow } from '../driver/sqlite-driver.ts';

/** A database of another program, opened for reading only. */
export interface ForeignDatabase {
  /**
   * The rows of a query, one at a time. The values are bound.
   * @throws `CTX_INVALID_INPUT` where the database cannot answer it.
   */
  readonly query: (sql: string, values: readonly string[]) => Iterable<SqliteRow>;
  readonly close: () => void;
}

function readError(path: string, cause: unknown): CtxError {
  return new CtxError('CTX_INVALID_FILE', `the database ${path} cannot be read`, { cause });
}

/** Reads the newest state also while the owner writes; without a log beside it no file is needed or made. */
function addressOf(path: string): string {
  const address = pathToFileURL(resolve(path));
  address.searchParams.set('mode', 'ro');
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logBytes === 0) address.searchParams.set('immutable', '1');
  return address.href;
}

/**
 * Opens a database that belongs to another program, which may be writing it.
 * Changes nothing in it and takes no log in; nothing that its schema names is run. Never for a file that this process has
 * open as a store.
 * @throws `CTX_INVALID_INPUT` where it is none.
 */
export async function openForeignDatabase(path: string): Promise<ForeignDatabase> {
  const driver = await loadDriver();
  let database: SqliteDatabase;
  try {
    database = driver(addressOf(path));
    database.exec(
      'PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON',
    );
  } catch (error) {
    throw readError(path, error);
  }
  return {
    *query(sql, values) {
      try {
        for (const row of database.prepare(sql).iterate(...values)) {
          if (!Array.isArray(row)) yield row as SqliteRow; // Lists come only where they were asked for.
        }
      } catch (error) {
        throw readError(path, error);
      }
    },
    close: () => {
      database.close();
    },
  };
}

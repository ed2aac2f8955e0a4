import { CtxError } from '@ctx/core';
import { quoteName } from '@ctx/store/sql';
import { storeError } from '../driver/postgres-errors.ts';
import type { SqlSession } from '../driver/sql-driver.ts';
import { notesTable } from '../schema/names.ts';
import { changeSchema, noteFact } from '../schema/open-tables.ts';
import { lockName, readSchemaIfMade } from '../schema/read-schema.ts';
import { type PostgresStoreOptions, placeOf } from '../store-place.ts';
import { lockSql, unlockSql } from './tenant-lock.ts';

/** What was done to the lock on tenants. */
export interface TenantLockReceipt {
  readonly isLocked: boolean;
  /** How many tables have it. */
  readonly tables: number;
  /** Whether this user passes every lock: a superuser, or one with BYPASSRLS. Against such users it does nothing. */
  readonly isBypassed: boolean;
}

async function passesLocks(session: SqlSession): Promise<boolean> {
  const rows = await session.query(
    'SELECT rolsuper OR rolbypassrls AS passes FROM pg_roles WHERE rolname = current_user',
  );
  return rows[0]?.['passes'] === true;
}

/**
 * Puts the lock on tenants on all tables of a store, or takes it off: with it the server shows and takes only rows of the tenant for which
 * a transaction speaks, whatever the query says. Programs that have the store open must be started again: until then their calls fail.
 * Safe to call again. Tables that later versions make have it, too.
 * @throws `CTX_NOT_FOUND` where there is no store yet; `CTX_STORE_READ_ONLY` for a user who does not own the tables.
 */
export async function lockPostgresTenants(
  options: PostgresStoreOptions & { readonly isLocked: boolean },
): Promise<TenantLockReceipt> {
  const place = placeOf({ ...options, maxConnections: 1 });
  const { isLocked } = options;
  try {
    const isBypassed = await passesLocks(place.driver);
    return await changeSchema(place, async (session) => {
      const stored = await readSchemaIfMade(session, place);
      if (stored === undefined) {
        throw new CtxError('CTX_NOT_FOUND', `there is no store at ${place.name} yet`);
      }
      const names = [notesTable, ...stored.definitions.keys()];
      for (const name of names) {
        const table = `${place.schema}.${quoteName(name)}`;
        for (const sql of isLocked ? lockSql(table) : unlockSql(table)) await session.query(sql);
      }
      await noteFact(session, place.schema, [lockName, isLocked]);
      return { isLocked, tables: names.length, isBypassed };
    });
  } catch (error) {
    throw storeError(error, place.name);
  } finally {
    await place.driver.close();
  }
}

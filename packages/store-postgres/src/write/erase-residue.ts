import type { SqlSession } from '../driver/sql-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { notesTable } from '../schema/names.ts';
import type { StorePlace } from '../store-place.ts';
import { forgetOfAll } from './notes.ts';

/** How long to wait for others who hold a table, ms. */
const lockWaitMs = 5000;

/**
 * Writes tables and indexes anew, so that they hold no byte of deleted or replaced records, and has the server do a checkpoint where
 * this user may ask for one. Notes of writes that are older than any try go before: they bear the names of tenants, also of those that
 * were purged.
 * Nobody else may read or write a table while it is rewritten. The server's log keeps the bytes until its segments are used
 * again; archives, replicas and backups keep theirs.
 */
export async function eraseResidue(
  { driver, schema }: Pick<StorePlace, 'driver' | 'schema'>,
  tables: readonly CollectionTable[],
): Promise<void> {
  const work = async (session: SqlSession): Promise<void> => {
    await session.script(`SET lock_timeout = ${String(lockWaitMs)}`);
    try {
      await forgetOfAll(session, schema);
      // VACUUM runs outside of transactions: one statement each.
      const names = [...tables.map(({ table }) => table), `${schema}."${notesTable}"`];
      for (const table of names) await session.script(`VACUUM (FULL, ANALYZE) ${table}`);
    } finally {
      await session.script('RESET lock_timeout').catch(() => undefined);
    }
    // The right to ask for it is rare; without it the server does one by itself, later.
    await session.script('CHECKPOINT').catch(() => undefined);
  };
  await driver.session(work, { isPatient: true });
}

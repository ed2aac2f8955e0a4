import type { CollectionTable } from './collection-table.ts';
import type { SqlDriver, SqlSession } from './sql-driver.ts';

/** How long to wait for others who hold a table, ms. */
const lockWaitMs = 5000;

/**
 * Writes tables and indexes anew, so that they hold no byte of deleted or replaced records, and has the server do a checkpoint where
 * this user may ask for one.
 * Contract: nobody else may read or write a table while it is rewritten. The server's log keeps the bytes until its segments are used
 * again; archives, replicas and backups keep theirs.
 */
export async function eraseResidue(
  driver: SqlDriver,
  tables: readonly CollectionTable[],
): Promise<void> {
  const work = async (session: SqlSession): Promise<void> => {
    await session.script(`SET lock_timeout = ${String(lockWaitMs)}`);
    try {
      // VACUUM runs outside of transactions: one statement each.
      for (const { table } of tables) await session.script(`VACUUM (FULL, ANALYZE) ${table}`);
    } finally {
      await session.script('RESET lock_timeout').catch(() => undefined);
    }
    // The right to ask for it is rare; without it the server does one by itself, later.
    await session.script('CHECKPOINT').catch(() => undefined);
  };
  await driver.session(work, { isPatient: true });
}

import { setTimeout as pause } from 'node:timers/promises';
import { CtxError } from '@ctx/core';
import type { SqlSession } from '../driver/sql-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { notesTable } from '../schema/names.ts';
import type { StorePlace } from '../store-place.ts';
import { forgetOfAll } from './notes.ts';

/** How long to wait for others who hold a table or still read what was deleted, ms. */
const lockWaitMs = 5000;

const lookAgainMs = 50;

/**
 * Whether the server keeps what was deleted before the transaction $1: for those of this database who may still read it, and, since
 * the rewriting transaction has a snapshot of its own, for whoever writes in any database and began before.
 */
const isKept = `SELECT pg_snapshot_xmin(pg_current_snapshot()) <= $1::xid8 OR EXISTS (
SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
AND age(backend_xmin) > age($1::xid8::xid)) AS kept`;

/** @throws `CTX_STORE_BUSY` where somebody has what was deleted kept for longer than the wait. */
async function waitForOthers(session: SqlSession): Promise<void> {
  const [now] = await session.query('SELECT pg_current_xact_id()::text AS id');
  for (let waited = 0; waited < lockWaitMs; waited += lookAgainMs) {
    const [looked] = await session.query(isKept, [String(now?.['id'])]);
    if (looked?.['kept'] !== true) return;
    await pause(lookAgainMs);
  }
  const text = 'an older transaction is open on the server, which keeps deleted records for it';
  throw new CtxError('CTX_STORE_BUSY', text);
}

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
      await waitForOthers(session);
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

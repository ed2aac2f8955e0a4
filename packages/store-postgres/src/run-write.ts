import { randomUUID } from 'node:crypto';
import { operationsTable } from './names.ts';
import { isLostConnection, isTransient, stateOf } from './postgres-errors.ts';
import type { SqlDriver, SqlSession } from './sql-driver.ts';
import { RecordsMoved, tooMuchMoved } from './write-records.ts';

/** Where writes are noted. */
export interface WriteLog {
  readonly driver: SqlDriver;
  /** Quoted. */
  readonly schema: string;
}

/** Most tries of one write. The waits between them add up to about 10 s, the time that a restart of a server may take. */
const mostTries = 40;
const longestWaitMs = 400;

const uniqueViolation = '23505';

function wait(tries: number): Promise<void> {
  const ms = Math.min(longestWaitMs, 2 ** tries) * (0.5 + Math.random() / 2);
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Says in SQL that the write `id` is being made; fails where it was made before, and waits where it is just being made. */
function noteSql({ schema }: WriteLog, id: string): string {
  const now = `floor(extract(epoch FROM clock_timestamp()) * 1000)`;
  return `INSERT INTO ${schema}."${operationsTable}" (id, at) VALUES ('${id}', ${now})`;
}

async function attempt(
  log: WriteLog,
  id: string,
  work: (session: SqlSession) => Promise<void>,
): Promise<void> {
  await log.driver.session(async (session) => {
    try {
      await session.script(`BEGIN; ${noteSql(log, id)}`);
      await work(session);
      await session.script('COMMIT');
    } catch (error) {
      await session.script('ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}

/** Whether the error says that the write was made by an earlier try. */
function wasMade(error: unknown, tries: number): boolean {
  if (tries === 1 || stateOf(error) !== uniqueViolation) return false;
  return error instanceof Error && 'table' in error && error.table === operationsTable;
}

/**
 * Does a write in a transaction, and again where the server undid it or the connection broke.
 * Contract: done once. Each try has the same id, which the transaction notes first: after a connection was lost in the middle of a
 * commit, the next try either finds the note, and all is done, or makes it itself; where the lost one is still being committed, it waits.
 */
export async function runWrite(
  log: WriteLog,
  work: (session: SqlSession) => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  for (let tries = 1; ; tries += 1) {
    try {
      await attempt(log, id, work);
      return;
    } catch (error) {
      if (wasMade(error, tries)) return;
      const isMoved = error instanceof RecordsMoved;
      const again = isMoved || isTransient(error) || isLostConnection(error);
      if (!again) throw error;
      if (tries >= mostTries) throw isMoved ? tooMuchMoved() : error;
      await wait(tries);
    }
  }
}

/** Runs a read, and again where the connection broke. */
export async function runRead<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      const again = isTransient(error) || isLostConnection(error);
      if (!again || tries >= mostTries) throw error;
      await wait(tries);
    }
  }
}

/** Notes are kept for so long: no try of a write comes later. */
const keepMs = 3_600_000;
const batchNotes = 10_000;

/** Lets go of old notes, a batch at a time; what another process is letting go of is left to it. Gives how many went. */
export async function forgetWrites({ driver, schema }: WriteLog): Promise<number> {
  const table = `${schema}."${operationsTable}"`;
  const old = `at < floor(extract(epoch FROM clock_timestamp()) * 1000) - ${String(keepMs)}`;
  const rows = await driver.query(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${old} LIMIT ${String(batchNotes)} FOR UPDATE SKIP LOCKED) RETURNING 1 AS gone`,
  );
  return rows.length;
}

import { randomUUID } from 'node:crypto';
import type { AloneWrite } from './alone-write.ts';
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

/** A write, as it is done. */
export interface PreparedWrite {
  /** Its first try, where one statement does it. */
  readonly alone?: AloneWrite | undefined;
  /** Advisory locks that it takes first, as numbers. */
  readonly locks: readonly string[];
  /** Whether it has to outlive a power cut, whatever the server is set to. */
  readonly isPower: boolean;
  /** Does it within a transaction. */
  readonly work: (session: SqlSession, tries: number) => Promise<void>;
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

function beginSql(log: WriteLog, id: string, { locks, isPower }: PreparedWrite): string {
  const power = isPower ? ['SET LOCAL synchronous_commit = on'] : [];
  const taken = locks.map((lock) => `SELECT pg_advisory_xact_lock(${lock})`);
  return ['BEGIN', ...power, noteSql(log, id), ...taken].join('; ');
}

/** One try of a write. */
interface Attempt {
  readonly id: string;
  readonly tries: number;
}

async function attempt(log: WriteLog, write: PreparedWrite, { id, tries }: Attempt): Promise<void> {
  await log.driver.session(async (session) => {
    try {
      await session.script(beginSql(log, id, write));
      await write.work(session, tries);
      await session.script('COMMIT');
    } catch (error) {
      await session.script('ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}

/**
 * The first try in one statement, which notes the write itself. False where it did nothing.
 * Contract: only the first try. A later one could take what the first has done for somebody else's doing; the note tells them apart.
 */
async function attemptAlone(
  { driver, schema }: WriteLog,
  { alone, isPower }: PreparedWrite,
  { id, tries }: Attempt,
): Promise<boolean> {
  if (alone === undefined || isPower || tries > 1) return false;
  const { sql, values } = alone(schema, id);
  return (await driver.query(sql, values)).length > 0;
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
export async function runWrite(log: WriteLog, write: PreparedWrite): Promise<void> {
  const id = randomUUID();
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await attemptAlone(log, write, { id, tries })))
        await attempt(log, write, { id, tries });
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

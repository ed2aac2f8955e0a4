import { CtxError } from '@ctx/core';
import type { AloneWrite } from './alone-write.ts';
import { notesTable } from './names.ts';
import { noteWrite, writeId, type WriteLog } from './notes.ts';
import { stateOf } from './postgres-errors.ts';
import type { SqlSession } from './sql-driver.ts';
import { tryAgain } from './try-again.ts';
import { RecordsMoved } from './write-rows.ts';

/** A write, as it is done. */
export interface PreparedWrite {
  /** The tenant under which it is noted: of its first operation or range. */
  readonly tenant: string;
  /** Its first try, where one statement does it. */
  readonly alone?: AloneWrite | undefined;
  /** Advisory locks that it takes first, as numbers. */
  readonly locks: readonly string[];
  /** Whether it has to outlive a power cut, whatever the server is set to. */
  readonly isPower: boolean;
  /** Does it within a transaction. */
  readonly work: (session: SqlSession, tries: number) => Promise<void>;
  /** The last of it, behind which nothing but the commit comes. */
  readonly finish?: ((session: SqlSession) => Promise<void>) | undefined;
}

const uniqueViolation = '23505';

function beginSql({ locks, isPower }: PreparedWrite): string {
  const power = isPower ? ['SET LOCAL synchronous_commit = on'] : [];
  const taken = locks.map((lock) => `SELECT pg_advisory_xact_lock(${lock})`);
  return ['BEGIN', ...power, ...taken].join('; ');
}

/** One try of a write. */
interface Attempt {
  readonly id: string;
  readonly tries: number;
}

async function attempt(log: WriteLog, write: PreparedWrite, { id, tries }: Attempt): Promise<void> {
  const { tenant } = write;
  await log.driver.session(async (session) => {
    try {
      // Sent together: the note is made behind the locks.
      await Promise.all([
        session.script(beginSql(write)),
        noteWrite(session, log.schema, { tenant, id }),
      ]);
      await write.work(session, tries);
      await write.finish?.(session);
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
  return error instanceof Error && 'table' in error && error.table === notesTable;
}

/**
 * Does a write in a transaction, and again where the server undid it or the connection broke.
 * Contract: done once. Each try has the same id, which the transaction notes first: after a connection was lost in the middle of a
 * commit, the next try either finds the note, and all is done, or makes it itself; where the lost one is still being committed, it waits.
 * Throws: `CTX_STORE_BUSY` where records came and went too fast.
 */
export async function runWrite(log: WriteLog, write: PreparedWrite): Promise<void> {
  const id = writeId(Date.now());
  try {
    await tryAgain(async (tries) => {
      try {
        if (await attemptAlone(log, write, { id, tries })) return;
        await attempt(log, write, { id, tries });
      } catch (error) {
        if (!wasMade(error, tries)) throw error;
      }
    });
  } catch (error) {
    if (!(error instanceof RecordsMoved)) throw error;
    throw new CtxError('CTX_STORE_BUSY', 'records came and went too fast to be written');
  }
}

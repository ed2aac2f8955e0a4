import { CtxError } from '@ctx/core';
import { allSent } from '../driver/all-sent.ts';
import { stateOf, uniqueViolation } from '../driver/postgres-errors.ts';
import { tryAgain } from '../driver/retry.ts';
import type { SqlSession } from '../driver/sql-driver.ts';
import { notesTable } from '../schema/names.ts';
import { noteWrite, type WriteLog, writeId } from './notes.ts';
import type { AloneWrite } from './single-write.ts';
import { RecordsMoved } from './write-rows.ts';

/**
 * Sends the statements of a change, each before the one ahead of it is answered.
 * A statement that cannot do all that it is to do fails: after it the server takes the transaction back.
 */
export type SendChanges = (session: SqlSession) => Promise<unknown>;

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
  /** Looks at what is there, within the transaction, locks it, and gives what is to be changed. */
  readonly look: (session: SqlSession, tries: number) => Promise<SendChanges>;
  /** What the first try changes, where it need not look. */
  readonly blind?: SendChanges | undefined;
  /** The last of it, after which nothing but the commit comes. */
  readonly finish?: SendChanges | undefined;
}

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
  const blind = tries === 1 ? write.blind : undefined;
  await log.driver.session(async (session) => {
    try {
      // Sent together: the note is made after the locks.
      const begun = Promise.all([
        session.script(beginSql(write)),
        noteWrite(session, log.schema, { tenant, id }),
      ]);
      const [send] = blind ? [blind] : await Promise.all([write.look(session, tries), begun]);
      // Sent together, so that locks last no longer than the server takes. Where a statement failed, the commit takes all back.
      const changes = [send(session), write.finish?.(session), session.script('COMMIT')];
      await allSent([begun, ...changes]);
    } catch (error) {
      await session.script('ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}

/**
 * The first try in one statement, which notes the write itself. False where it did nothing.
 * Only the first try. A later one could take what the first has done for another writer's; the note tells them apart.
 */
async function attemptAlone(
  { driver, schema }: WriteLog,
  { alone, isPower }: PreparedWrite,
  { id, tries }: Attempt,
): Promise<boolean> {
  if (alone === undefined || isPower || tries > 1) return false;
  const { sql, values } = alone(schema, id);
  return (await driver.lists(sql, values, { isRepeated: true })).length > 0;
}

/**
 * Whether the error says that the write was made by an earlier try. The message names the key of the notes in every language, and on
 * Citus, which gives no table of an error, that of their shard.
 */
function wasMade(error: unknown, tries: number): boolean {
  if (tries === 1 || stateOf(error) !== uniqueViolation) return false;
  return error instanceof Error && error.message.includes(`${notesTable}_pkey`);
}

/**
 * Does a write in a transaction, and again where the server undid it or the connection broke.
 * Done once. Each try has the same id, which the transaction notes first: after a connection was lost in the middle of a
 * commit, the next try either finds the note, and all is done, or makes it itself; where the lost one is still being committed, it waits.
 * @throws `CTX_STORE_BUSY` where records came and went too fast.
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

import { CtxError, isCtxError } from '@ctx/core';
import type { SqliteDatabase, SqliteStatement } from './sqlite-driver.ts';
import { storeError } from './store-errors.ts';
import { spendReserve } from './store-mark.ts';

/** One open database file: one per file and process, all its calls one after the other. */
export interface Connection {
  readonly path: string;
  /** A statement, prepared once. `sql` is built from definitions, never from values. */
  statement(sql: string): SqliteStatement;
  /** Runs statements without values and without answer. */
  execute(sql: string): void;
  /**
   * Does `work` when all earlier work is done; again while another process holds the file. What frees room may use the reserve of a full
   * disk. Errors come wrapped.
   */
  run<T>(work: () => T | Promise<T>, use?: { readonly mayUseReserve: boolean }): Promise<T>;
  /** Does the same with work that only reads, and awaits nothing: at once where no earlier work is left. */
  read<T>(work: () => T): Promise<T>;
  /** Does `work` in one transaction that may write, or not at all. Only within `run`. */
  transaction<T>(durability: Durability, work: () => T | Promise<T>): Promise<T>;
  /** Does `work`, which only reads: all that it sees is of one moment. Only within `run`. */
  snapshot<T>(work: () => T | Promise<T>): Promise<T>;
  /** How many transactions this connection has ended. */
  ended(): number;
  /** Waits for earlier work, then closes. */
  close(): Promise<void>;
}

/** What an acknowledged write outlives: the death of the process, or a power cut. */
export type Durability = 'process' | 'power';

export interface ConnectionOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

/** Statements kept prepared. A store of the size of ctx uses about a hundred. */
const maxStatements = 500;

/** SQLite waits so long on the thread, ms; after that the wait goes on without blocking the loop. */
const blockingWaitMs = 25;

/** The longest wait that SQLite takes, ms. */
const longestWaitMs = 2_147_483_647;

/** After so many pages in the log, 16 MB, a commit takes them into the file: half as many pages as with SQLite's own thousand. */
const checkpointPages = 4000;
/** In a process of few transactions after 1 MB: it may end without closing, as a hook does, and then the next reads the whole log first. */
const firstCheckpointPages = 256;
const fewTransactions = 16;

/** Pause between two tries, ms. */
const pauseMs = 10;

/** Lets everything else that waits have its turn. */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function statementCache(database: SqliteDatabase): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > maxStatements && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}

/** Repeats `work` while it ends with `CTX_STORE_BUSY`, for at most `limitMs`. */
async function retryWhileBusy<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  // Not `performance`, which Node loads in longer than a short process takes to read and write a row.
  const end = process.uptime() + limitMs / 1000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_BUSY') || process.uptime() >= end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/**
 * Does `work` again after `makeRoom`, once, where it ended with `CTX_STORE_FULL`. What was written of the failed try is
 * free again, and a log that is empty takes the little that a delete needs.
 */
async function retryWithRoom<T>(work: () => Promise<T>, makeRoom: () => () => void): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCtxError(error, 'CTX_STORE_FULL')) throw error;
    const restore = makeRoom();
    try {
      return await work();
    } finally {
      restore();
    }
  }
}

/**
 * Settings that hold for a connection, not for the file: set at each open. Some of them read the file, and wait for another process
 * that has it for itself.
 */
function configure(database: SqliteDatabase, busyTimeoutMs: number): void {
  const waitMs = Math.trunc(Math.min(blockingWaitMs, busyTimeoutMs));
  database.exec(
    [
      `PRAGMA busy_timeout = ${Math.trunc(Math.min(busyTimeoutMs, longestWaitMs))}`,
      'PRAGMA synchronous = NORMAL',
      'PRAGMA trusted_schema = OFF',
      'PRAGMA cell_size_check = ON',
      'PRAGMA secure_delete = ON',
      'PRAGMA cache_size = -16000',
      'PRAGMA journal_size_limit = 67108864',
      `PRAGMA busy_timeout = ${waitMs}`,
    ].join(';'),
  );
  keepLog(database, firstCheckpointPages);
}

function keepLog(database: SqliteDatabase, pages: number): void {
  database.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
}

/** Frees what room there is in the file. Gives what to do after the second try. */
function makeRoom(database: SqliteDatabase): () => void {
  try {
    // FAST spares the writes that only overwrite freed pages; `eraseResidue` takes those bytes later.
    database.exec('PRAGMA secure_delete = FAST; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // No room for that either: the second try tells.
  }
  return () => {
    database.exec('PRAGMA secure_delete = ON');
  };
}

async function inTransaction<T>(
  database: SqliteDatabase,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: () => T | Promise<T>,
): Promise<T> {
  database.exec(begin);
  try {
    const result = await work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back on its own, as it does on a full disk.
    }
    throw error;
  }
}

/** Does one piece of work after the other, each until it is done or fails for good. */
function createQueue(
  database: SqliteDatabase,
  { path, busyTimeoutMs }: ConnectionOptions,
): Pick<Connection, 'read' | 'run'> & { readonly end: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const done = (): void => {
    waiting -= 1;
  };
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw storeError(error, path);
    }
  };
  const run: Connection['run'] = (work, { mayUseReserve } = { mayUseReserve: false }) => {
    waiting += 1;
    const findRoom = (): (() => void) => {
      if (mayUseReserve) spendReserve(path);
      return makeRoom(database);
    };
    const withRoom = () => retryWithRoom(() => attempt(work), findRoom);
    const result = last.then(() => retryWhileBusy(withRoom, busyTimeoutMs));
    last = result.then(done, done);
    return result;
  };
  return {
    run,
    async read(work) {
      if (waiting > 0) return await run(work);
      try {
        return work();
      } catch (error) {
        const known = storeError(error, path);
        if (known.code === 'CTX_STORE_BUSY') return await run(work);
        throw known;
      }
    },
    end: () => last,
  };
}

/** Wraps an open database. */
export function createConnection(database: SqliteDatabase, options: ConnectionOptions): Connection {
  const { path, busyTimeoutMs } = options;
  configure(database, busyTimeoutMs);
  const queue = createQueue(database, options);
  let isClosed = false;
  let ended = 0;
  const refuse = (): Promise<never> =>
    Promise.reject(new CtxError('CTX_STORE_CLOSED', `the store ${path} is closed`));
  return {
    path,
    statement: statementCache(database),
    execute: (sql) => {
      database.exec(sql);
    },
    run: (work, use) => (isClosed ? refuse() : queue.run(work, use)),
    read: (work) => (isClosed ? refuse() : queue.read(work)),
    async transaction(durability, work) {
      // The level cannot change within a transaction.
      if (durability === 'power') database.exec('PRAGMA synchronous = FULL');
      try {
        return await inTransaction(database, 'BEGIN IMMEDIATE', work);
      } finally {
        ended += 1;
        if (ended === fewTransactions) keepLog(database, checkpointPages);
        if (durability === 'power') database.exec('PRAGMA synchronous = NORMAL');
      }
    },
    snapshot: (work) => inTransaction(database, 'BEGIN', work),
    ended: () => ended,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await queue.end();
      try {
        database.close();
      } catch (error) {
        throw storeError(error, path);
      }
    },
  };
}

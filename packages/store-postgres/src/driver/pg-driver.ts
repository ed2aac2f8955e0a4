import {
  type ClientBase,
  type CustomTypesConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryArrayConfig,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
  types,
} from 'pg';
import { NamedClient } from './named-client.ts';
import { pgListener } from './pg-listener.ts';
import { isLostConnection } from './postgres-errors.ts';
import type { SessionOptions, SqlDriver, SqlRow, SqlSession, SqlValue } from './sql-driver.ts';
import { type SilenceWatch, watchSilence } from './stalled-connections.ts';
import { type NameOf, namesOnDirect } from './statement-names.ts';

/** How connections are made and kept. */
export interface PoolOptions {
  /** Most connections of this process; one more hears what others write, if a reader waits for it. Default 10. */
  readonly maxConnections?: number;
  /** How long a new connection may take, ms. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may run, ms. Default 60,000. */
  readonly statementTimeoutMs?: number;
  /** How long the answer to a statement may take beyond that, before the connection counts as lost, ms. Default 5,000. */
  readonly answerGraceMs?: number;
  /** How long an idle connection stays open, ms. Default 30,000. */
  readonly idleTimeoutMs?: number;
}

/** `bigint` and `numeric` come as text: what ctx writes into them are safe integers. Source: pg_type of PostgreSQL. */
const numberTypes: readonly number[] = [20, 1700];

const parsers: CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (numberTypes.includes(oid)) return Number;
    const parse: unknown = types.getTypeParser(oid, format);
    return parse;
  },
};

/** What pg takes beside the text of a statement; its types do not name it. */
interface QueryLimit {
  readonly query_timeout?: number;
}

/** The longest time that a timer of Node takes: 24 days. */
const patience: QueryLimit = { query_timeout: 2 ** 31 - 1 };

/** Connections that are younger than the last one that hung half open: whatever broke that one may have broken all of its time. */
interface FreshConnections {
  /** Takes one of the pool; those that are older are ended. */
  readonly take: () => Promise<PoolClient>;
  /** From now on all of now are old. */
  readonly forget: () => void;
}

function freshConnections(pool: Pool): FreshConnections {
  let fresh = new WeakSet<PoolClient>();
  pool.on('connect', (client) => {
    fresh.add(client);
  });
  return {
    take: async () => {
      for (;;) {
        const client = await pool.connect();
        if (fresh.has(client)) return client;
        client.release(true);
      }
    },
    forget: () => {
      fresh = new WeakSet();
    },
  };
}

/** A connection as it is worked on. */
interface Held {
  readonly client: PoolClient;
  readonly watch: SilenceWatch;
  readonly nameOf: NameOf;
  /** Told that the connection may not be used again. */
  readonly giveUp: (error: Error) => void;
}

/** Resolves with the answer. `unsent` is told at once of a statement that the driver could not make into a message. */
function answerTo<Row extends QueryResultRow>(
  client: PoolClient,
  config: QueryConfig,
  unsent: (error: Error) => void,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    client.query<Row>(config, (error: Error | undefined, result: QueryResult<Row>) => {
      if (!isSent && error) unsent(error);
      if (error) reject(error);
      else resolve(result.rows);
    });
    isSent = true;
  });
}

/** Behind a statement that could not be sent no other is, least of all a commit: the connection is given up. */
function sessionOf({ client, watch, nameOf, giveUp }: Held, limit: QueryLimit = {}): SqlSession {
  let failed: Error | undefined;
  const unsent = (error: Error): void => {
    failed = error;
    giveUp(error);
  };
  const ask = async <Row extends QueryResultRow>(config: QueryConfig): Promise<Row[]> => {
    if (failed !== undefined) throw failed;
    const answered = watch.asked(client);
    try {
      return await answerTo<Row>(client, { ...limit, ...config }, unsent);
    } finally {
      answered();
    }
  };
  return {
    query: (text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> =>
      ask({ text, values: [...values] }),
    lists: (text, values, { isRepeated = false } = {}) => {
      const name = isRepeated ? nameOf(client, text) : undefined;
      const asLists: QueryArrayConfig = { text, values: [...values], rowMode: 'array' };
      return ask<unknown[]>(name === undefined ? asLists : { ...asLists, name });
    },
    script: async (text) => {
      await ask({ text });
    },
  };
}

function configOf(url: string, options: PoolOptions): PoolConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? 60_000;
  return {
    connectionString: url,
    Client: NamedClient,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    idleTimeoutMillis: options.idleTimeoutMs ?? 30_000,
    statement_timeout: statementTimeoutMs,
    // A server that is gone without a word: the statement's own time, and what its answer may take.
    query_timeout: statementTimeoutMs + (options.answerGraceMs ?? 5000),
    keepAlive: true,
    // Statements that are made together are sent together.
    pipeline: true,
    types: parsers,
  };
}

type Work<Result> = (session: SqlSession) => Promise<Result>;

async function workOn<Result>(
  held: Held,
  work: Work<Result>,
  { isPatient = false }: SessionOptions,
): Promise<Result> {
  if (!isPatient) return await work(sessionOf(held));
  const { client } = held;
  await client.query('SET statement_timeout = 0');
  const result = await work(sessionOf(held, patience));
  await client.query('RESET statement_timeout');
  return result;
}

/** Idle, outside of a transaction. */
const isIdle = (client: ClientBase): boolean => client.getTransactionStatus() === 'I';

interface WatchedPool extends Omit<Held, 'client' | 'giveUp'> {
  readonly fresh: FreshConnections;
}

/** Works on a connection of the pool, and gives it back where it may be used again. */
async function withConnection<Result>(
  { fresh, ...kept }: WatchedPool,
  work: Work<Result>,
  options: SessionOptions = {},
): Promise<Result> {
  const client = await fresh.take();
  let broken: Error | undefined;
  const noteBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', noteBroken);
  try {
    return await workOn({ client, ...kept, giveUp: noteBroken }, work, options);
  } catch (error) {
    // After a failure the connection may stand in a transaction, wait for an answer, or be set to patience.
    const isClean = isIdle(client) && !isLostConnection(error) && options.isPatient !== true;
    if (!isClean) broken ??= error instanceof Error ? error : new Error('failed');
    throw error;
  } finally {
    client.off('error', noteBroken);
    client.release(broken);
  }
}

/** Speaks to a PostgreSQL server through a pool of connections. Does nothing until used. */
export function pgDriver(url: string, options: PoolOptions = {}): SqlDriver {
  const config = configOf(url, options);
  const pool = new Pool(config);
  const fresh = freshConnections(pool);
  const nameOf = namesOnDirect(pool);
  const watched = { fresh, watch: watchSilence(config, fresh.forget), nameOf };
  // A connection that breaks while it is idle, or as it is handed out, is taken out of the pool; without listeners the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return {
    name: 'pg',
    query: (sql, values) => withConnection(watched, (session) => session.query(sql, values)),
    lists: (sql, values, given) =>
      withConnection(watched, (session) => session.lists(sql, values, given)),
    script: (sql) => withConnection(watched, (session) => session.script(sql)),
    session: (work, sessionOptions) => withConnection(watched, work, sessionOptions),
    listen: (listening) => pgListener(config, listening),
    close: () => {
      watched.watch.end();
      return pool.end();
    },
  };
}

import { type ClientBase, type CustomTypesConfig, Pool, type PoolConfig, types } from 'pg';
import type { SqlDriver, SqlRow, SqlSession, SqlValue } from './sql-driver.ts';

/** How connections are made and kept. */
export interface PoolOptions {
  /** Most connections of this process. Default 10. */
  readonly maxConnections?: number;
  /** How long a new connection may take, ms. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long a statement may run, ms. Default 60,000. */
  readonly statementTimeoutMs?: number;
  /** How long the answer to a statement may take beyond that, before the connection counts as lost, ms. Default 5,000. */
  readonly answerGraceMs?: number;
  /** How long a connection that nobody uses stays open, ms. Default 30,000. */
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

function sessionOf(client: Pick<ClientBase, 'query'>): SqlSession {
  return {
    query: async (sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> => {
      const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
      return rows;
    },
    script: async (sql) => {
      await client.query(sql);
    },
  };
}

function configOf(url: string, options: PoolOptions): PoolConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? 60_000;
  return {
    connectionString: url,
    application_name: 'ctx',
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    idleTimeoutMillis: options.idleTimeoutMs ?? 30_000,
    statement_timeout: statementTimeoutMs,
    // A server that is gone without a word: the statement's own time, and what its answer may take.
    query_timeout: statementTimeoutMs + (options.answerGraceMs ?? 5000),
    keepAlive: true,
    types: parsers,
  };
}

/** Speaks to a PostgreSQL server through a pool of connections. Cost: none until used. */
export function pgDriver(url: string, options: PoolOptions = {}): SqlDriver {
  const pool = new Pool(configOf(url, options));
  // A connection that breaks while nobody uses it is taken out of the pool; without a listener the process would end.
  pool.on('error', () => undefined);
  return {
    name: 'pg',
    ...sessionOf(pool),
    session: async (work) => {
      const client = await pool.connect();
      let failure: Error | undefined;
      const broken = (error: Error): void => {
        failure = error;
      };
      client.on('error', broken);
      try {
        return await work(sessionOf(client));
      } catch (error) {
        failure = error instanceof Error ? error : new Error('failed');
        throw error;
      } finally {
        client.off('error', broken);
        // After a failure the connection may stand in a transaction, or be gone.
        client.release(failure);
      }
    },
    close: () => pool.end(),
  };
}

import type { PGlite } from '@electric-sql/pglite';
import type { SqlDriver, SqlRow, SqlSession, SqlValue } from '../driver/sql-driver.ts';

function sessionOf(database: Pick<PGlite, 'query' | 'exec'>): SqlSession {
  return {
    query: async (sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> => {
      const { rows } = await database.query<Record<string, unknown>>(sql, [...values]);
      return rows;
    },
    lists: async (sql, values) => {
      const { rows } = await database.query<unknown[]>(sql, [...values], { rowMode: 'array' });
      return rows;
    },
    script: async (sql) => {
      await database.exec(sql);
    },
  };
}

/** Keeps a byte order mark at the beginning of a text, which PGlite lets its decoder take away. */
class WholeTextDecoder extends TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean }) {
    super(label, { ...options, ignoreBOM: true });
  }
}

/** PostgreSQL in this process, for tests. */
export async function makePglite(): Promise<PGlite> {
  globalThis.TextDecoder = WholeTextDecoder;
  const { PGlite: Database, types } = await import('@electric-sql/pglite');
  return await Database.create({ parsers: { [types.INT8]: Number, [types.NUMERIC]: Number } });
}

/** Speaks to it. All stores of a process share it, so that closing one leaves the others be. */
export function pgliteDriver(database: PGlite): SqlDriver {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const session = sessionOf(database);
  return {
    name: 'pglite',
    query: (sql, values) => inTurn(() => session.query(sql, values)),
    lists: (sql, values) => inTurn(() => session.lists(sql, values)),
    script: (sql) => inTurn(() => session.script(sql)),
    session: (work) => inTurn(() => work(session)),
    listen: async ({ channel, onMessage }) => {
      const stop = await inTurn(() => database.listen(channel, onMessage));
      return () => void inTurn(() => stop());
    },
    close: () => Promise.resolve(),
  };
}

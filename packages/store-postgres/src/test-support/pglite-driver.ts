import { PGlite, types } from '@electric-sql/pglite';
import type { SqlDriver, SqlRow, SqlSession, SqlValue } from '../sql-driver.ts';

function sessionOf(database: Pick<PGlite, 'query' | 'exec'>): SqlSession {
  return {
    query: async (sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> => {
      const { rows } = await database.query<Record<string, unknown>>(sql, [...values]);
      return rows;
    },
    script: async (sql) => {
      await database.exec(sql);
    },
  };
}

/** PostgreSQL in this process, for tests. */
export async function makePglite(): Promise<PGlite> {
  return await PGlite.create({
    parsers: { [types.INT8]: Number, [types.NUMERIC]: Number },
  });
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
    script: (sql) => inTurn(() => session.script(sql)),
    session: (work) => inTurn(() => work(session)),
    close: () => Promise.resolve(),
  };
}

import type { SqlDriver, SqlSession } from '../driver/sql-driver.ts';

/** A driver that keeps what was sent, a line for each round trip. */
export interface CountingDriver extends SqlDriver {
  readonly sent: string[];
}

/** Wraps a driver. Closing it leaves the driver open. */
export function countingDriver(driver: SqlDriver): CountingDriver {
  const sent: string[] = [];
  const counted = (session: SqlSession): SqlSession => ({
    query: (sql, values) => {
      sent.push(sql);
      return session.query(sql, values);
    },
    lists: (sql, values, options) => {
      sent.push(sql);
      return session.lists(sql, values, options);
    },
    script: (sql) => {
      sent.push(sql);
      return session.script(sql);
    },
  });
  return {
    ...counted(driver),
    name: driver.name,
    sent,
    session: (work) => driver.session((session) => work(counted(session))),
    close: () => Promise.resolve(),
  };
}

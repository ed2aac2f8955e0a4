import type { SqlDriver, SqlSession, SqlValue } from '../driver/sql-driver.ts';

/** The setting that says for which tenant a transaction speaks: a JSON list of its name. */
export const tenantSetting = 'ctx.tenant';

const policy = 'ctx_tenant';

/**
 * Statements that put the lock on a table: a row is seen and written only by a transaction that speaks for its tenant, also by the
 * table's owner. Where no tenant was named, a query fails; it does not come back empty.
 */
export function lockSql(table: string): string[] {
  const isOwn = `tenant = current_setting('${tenantSetting}')::json ->> 0`;
  return [
    `DROP POLICY IF EXISTS ${policy} ON ${table}`,
    `CREATE POLICY ${policy} ON ${table} USING (${isOwn}) WITH CHECK (${isOwn})`,
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  ];
}

/** Statements that take it off again. */
export function unlockSql(table: string): string[] {
  return [
    `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`,
    `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
    `DROP POLICY IF EXISTS ${policy} ON ${table}`,
  ];
}

const speakSql = `SELECT set_config('${tenantSetting}', $1, true)`;

/** Names the tenant before a statement that has another one as its first value. Holds until the transaction ends. */
function speakingSession(session: SqlSession): SqlSession {
  let current: SqlValue | undefined;
  /** Sent together with the statement after it: one round trip. */
  const speakFor = (tenant: SqlValue | undefined): Promise<unknown> | undefined => {
    if (tenant === current) return undefined;
    current = tenant;
    return session.lists(speakSql, [JSON.stringify([tenant])], { isRepeated: true });
  };
  return {
    query: async (sql, values = []) => {
      const named = speakFor(values[0]);
      const [rows] = await Promise.all([session.query(sql, values), named]);
      return rows;
    },
    lists: async (sql, values, options) => {
      const named = speakFor(values[0]);
      const [rows] = await Promise.all([session.lists(sql, values, options), named]);
      return rows;
    },
    script: (sql) => session.script(sql),
  };
}

/**
 * A driver for tables under the lock: each statement speaks for one tenant, which is its first value.
 * Every `session` is one transaction, which its work begins and ends.
 * Waits for nothing more where the driver sends statements before the last one is answered; else for three round trips more for a read.
 */
export function lockedDriver(driver: SqlDriver): SqlDriver {
  const alone = <Rows>(work: (session: SqlSession) => Promise<Rows>): Promise<Rows> =>
    driver.session(async (session) => {
      const begun = session.script('BEGIN');
      const found = work(speakingSession(session));
      const ended = session.script('COMMIT');
      const [, rows] = await Promise.all([begun, found, ended]);
      return rows;
    });
  return {
    ...driver,
    query: (sql, values) => alone((session) => session.query(sql, values)),
    lists: (sql, values, options) => alone((session) => session.lists(sql, values, options)),
    session: (work) => driver.session((session) => work(speakingSession(session))),
  };
}

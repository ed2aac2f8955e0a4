import { appendedPart, completeColumns, type WriteOptions } from '@ctx/store/backend';
import { equalTos, quoteName } from '@ctx/store/sql';
import { allSent } from '../driver/all-sent.ts';
import { stateOf, uniqueViolation } from '../driver/postgres-errors.ts';
import type { SqlSession } from '../driver/sql-driver.ts';
import { lockNumber } from '../lock/lock-number.ts';
import { placed, placeOf } from '../read/conditions.ts';
import type { Statement } from '../read/scan-sql.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { contentLists, givenValues, storedOf, type WholeRow } from './record-rows.ts';
import { batchesOf, RecordsMoved } from './write-rows.ts';

/**
 * Done as the last of a transaction.
 * @throws `RecordsMoved`.
 */
export type Appending = (session: SqlSession) => Promise<void>;

/** One statement that appends, and the lock under which it does. */
interface AppendStep extends Statement {
  readonly lock: string;
}

/** Digits of a number in a key. */
const digits = appendedPart(0).length;

function insertSql(
  table: CollectionTable,
  place: readonly string[],
  rows: readonly WholeRow[],
): Statement {
  const [tenant = '', ...others] = place;
  const lists = contentLists(table, rows);
  const values = givenValues(tenant, lists);
  const names = table.keyColumns.map(({ name }) => name);
  const last = quoteName(names.at(-1) ?? '');
  const given = lists.map(({ type }, at) => `$${String(at + 2)}::${type}[]`).join(', ');
  const columns = lists.map((_, at) => `v${String(at)}`).join(', ');
  const parts = ['$1::text', ...others.map((part) => `${placeOf(values, part)}::text`)];
  const where = equalTos(names, place).map((condition) => placed(condition, values));
  const newest = `SELECT ${last}::bigint FROM ${table.table} WHERE ${where.join(' AND ')} ORDER BY ${last} DESC LIMIT 1`;
  const number = `lpad((coalesce((${newest}), 0) + given.at)::text, ${String(digits)}, '0')`;
  const stored = [...parts, number, ...lists.map((_, at) => storedOf(lists, at))];
  const all = [...names.map(quoteName), ...lists.map(({ column }) => column)];
  const sql = `INSERT INTO ${table.table} (${all.join(', ')}) SELECT ${stored.join(', ')}
    FROM unnest(${given}) WITH ORDINALITY AS given(${columns}, at)`;
  return { sql, values };
}

function stepsOf(
  table: CollectionTable,
  { place, records }: NonNullable<WriteOptions['appends']>[number],
): AppendStep[] {
  const rows = records.map(({ columns, body }) => {
    const complete = completeColumns(table.definition, columns);
    return { key: place, put: { columns: complete, version: 1, body, words: undefined } };
  });
  const lock = lockNumber(table.table, 'append', place);
  const steps = [...batchesOf(rows)].map((batch) => insertSql(table, place, batch));
  return steps.map((step) => ({ ...step, lock }));
}

/** @throws {@link RecordsMoved} if a writer appended that takes no lock: the whole write is retried. */
async function append(session: SqlSession, { sql, values, lock }: AppendStep): Promise<void> {
  // Sent together. The statement after the lock sees what was committed before the lock was given.
  const locked = session.script(`SELECT pg_advisory_xact_lock(${lock})`);
  const done = session.lists(sql, values, { isRepeated: true });
  try {
    await allSent([locked, done]);
  } catch (error) {
    throw stateOf(error) === uniqueViolation ? new RecordsMoved() : error;
  }
}

/**
 * Returns what appends the records of a write, `undefined` if there are none. The database gives the numbers, under an
 * advisory lock on the place, which is taken last and lasts until the commit, which is sent with it: whoever else appends there waits in turn.
 * Where such locks mean nothing (some engines that speak like PostgreSQL), the key itself keeps a number from being given twice.
 */
export function prepareAppends(
  tableOf: (collection: string) => CollectionTable,
  batches: readonly NonNullable<WriteOptions['appends']>[number][],
): Appending | undefined {
  const steps = batches
    .flatMap((batch) => stepsOf(tableOf(batch.collection), batch))
    // In one order for all, so that no two writes wait for each other; the pieces of one place stay in theirs.
    .sort((one, other) => (one.lock < other.lock ? -1 : Number(one.lock > other.lock)));
  if (steps.length === 0) return undefined;
  return async (session) => {
    // All of them are sent before the first is answered.
    await allSent(steps.map((step) => append(session, step)));
  };
}

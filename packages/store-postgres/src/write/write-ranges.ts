import { CtxError } from '@ctx/core';
import { completeColumns, type WriteOptions } from '@ctx/store/backend';
import { quoteName, rangeCondition } from '@ctx/store/sql';
import { allSent } from '../driver/all-sent.ts';
import { divisionByZero, stateOf } from '../driver/postgres-errors.ts';
import type { SqlSession, SqlValue } from '../driver/sql-driver.ts';
import { lockNumber } from '../lock/lock-number.ts';
import { placed, placeOf } from '../read/conditions.ts';
import type { Statement } from '../read/scan-sql.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordVersion } from '../schema/names.ts';
import type { SendChanges } from './run-write.ts';

/** The ranges of a write, as they are done. */
export interface PreparedRanges {
  /** Taken until the transaction ends, before anything is read: of two writes that ask the same range to be empty one waits. */
  readonly locks: readonly string[];
  /** Whether there is nothing to do. */
  readonly isNothing: boolean;
  /**
   * Done within the transaction, before the operations.
   * @throws `CTX_STORE_CONFLICT`.
   */
  readonly apply: (session: SqlSession) => Promise<void>;
  /**
   * The same where only emptiness is asked for, sent without waiting for an answer: a range that is not empty fails its statement.
   * `undefined` where something is patched.
   */
  readonly guard: SendChanges | undefined;
}

/** One number for each range of a store, by what `equal` says. */
function lockOf(
  table: CollectionTable,
  { index, equal }: NonNullable<WriteOptions['emptyRanges']>[number],
): string {
  return lockNumber(table.table, index, equal);
}

function emptySql(
  table: CollectionTable,
  range: NonNullable<WriteOptions['emptyRanges']>[number],
): Statement {
  const values: SqlValue[] = [];
  const where = placed(rangeCondition(table.index(range.index), range), values);
  return { sql: `SELECT 1 AS found FROM ${table.table} WHERE ${where} LIMIT 1`, values };
}

function patchSql(
  table: CollectionTable,
  range: NonNullable<WriteOptions['patchRanges']>[number],
): Statement {
  const values: SqlValue[] = [];
  const where = placed(rangeCondition(table.index(range.index), range), values);
  const complete = completeColumns(table.definition, range.columns);
  const columns = table.columns.filter(({ name }) => Object.hasOwn(range.columns, name));
  const assignments = columns.map(
    ({ name, type }) => `${quoteName(name)} = ${placeOf(values, complete[name] ?? null)}::${type}`,
  );
  assignments.push(`${recordVersion} = ${table.table}.${recordVersion} + 1`);
  const update = `UPDATE ${table.table} SET ${assignments.join(', ')} WHERE ${where} RETURNING 1`;
  return { sql: `WITH patched AS (${update}) SELECT count(*) AS n FROM patched`, values };
}

function conflict(
  { index, collection }: NonNullable<WriteOptions['emptyRanges']>[number],
  what: string,
): CtxError {
  return new CtxError('CTX_STORE_CONFLICT', `a range of ${index} in ${collection} holds ${what}`);
}

/** A range that must be empty, and the statement that looks into it. */
interface EmptyRange extends Statement {
  readonly range: NonNullable<WriteOptions['emptyRanges']>[number];
}

async function guardEmpty(session: SqlSession, { sql, values, range }: EmptyRange): Promise<void> {
  const guarding = `SELECT 1 / (count(*) = 0)::integer FROM (${sql}) AS found`;
  try {
    await session.query(guarding, values);
  } catch (error) {
    throw stateOf(error) === divisionByZero ? conflict(range, 'a record') : error;
  }
}

/** Returns what checks and patches the ranges of a write. */
export function prepareRanges(
  tableOf: (collection: string) => CollectionTable,
  { emptyRanges = [], patchRanges = [] }: WriteOptions,
): PreparedRanges {
  const empty = emptyRanges.map((range) => {
    const table = tableOf(range.collection);
    return { range, lock: lockOf(table, range), ...emptySql(table, range) };
  });
  const patches = patchRanges.map((range) => ({
    ...{ range, expected: range.expectCount },
    ...patchSql(tableOf(range.collection), range),
  }));
  return {
    locks: [...new Set(empty.map(({ lock }) => lock))].sort(),
    isNothing: empty.length === 0 && patches.length === 0,
    guard:
      patches.length === 0
        ? (session) => allSent(empty.map((one) => guardEmpty(session, one)))
        : undefined,
    async apply(session) {
      for (const { sql, values, range } of empty) {
        const found = await session.query(sql, values);
        if (found.length > 0) throw conflict(range, 'a record');
      }
      for (const { sql, values, range, expected } of patches) {
        const [row] = await session.query(sql, values);
        const count = Number(row?.['n']);
        if (count !== (expected ?? count)) throw conflict(range, `${String(count)} records`);
      }
    },
  };
}

import type { CollectionDefinition } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import type { Connection } from '../driver/connection.ts';
import { tallyTableName } from './names.ts';

/** An index whose counts are kept: `lead` are all of its fields but the last. */
export interface TallyTable {
  readonly table: string;
  readonly lead: readonly string[];
  readonly last: string;
  readonly bucketWidth: number;
  readonly sums: readonly string[];
  /** The bucket of `last`, as SQL. */
  readonly bucketOfLast: string;
}

/** Buckets outside of these bounds are one bucket each; so the numbers stay exact everywhere. */
const lastBucket = 1e15;

/** The bucket of null: below all others. */
export const nullBucket: number = -2e15;

/** Stands for null in the key of the kept counts, where null would not be equal to itself. */
export const nullLead = "x''";

/** Which counts are kept for an index, if any. */
export function tallyTableOf(
  definition: Pick<CollectionDefinition, 'name'>,
  index: CollectionDefinition['indexes'][number],
): TallyTable | undefined {
  const last = index.fields.at(-1);
  const { bucketWidth, sums } = index.tally ?? {};
  if (bucketWidth === undefined || sums === undefined || last === undefined) return undefined;
  return {
    table: tallyTableName(definition.name, index.name),
    lead: index.fields.slice(0, -1),
    ...{ last, bucketWidth, sums },
    bucketOfLast: bucketSql(quoteName(last), bucketWidth),
  };
}

/** The bucket of a value. Rises with the value; {@link bucketSql} gives the same for every number. */
export function bucketOf(value: number, bucketWidth: number): number {
  return Math.floor(Math.min(Math.max(value / bucketWidth, -lastBucket), lastBucket));
}

/** A number as SQL reads it back without loss, always as a real. */
export function realSql(value: number): string {
  return value.toExponential();
}

/** Whether SQL written with the width counts into the same buckets as {@link bucketOf}. */
export function readsWidthExactly(connection: Connection, bucketWidth: number): boolean {
  return (
    connection.statement(`SELECT ${realSql(bucketWidth)} AS width`).get()?.['width'] === bucketWidth
  );
}

/** {@link bucketOf} in SQL, without functions that not every build of SQLite has; null has a bucket of its own. */
export function bucketSql(value: string, bucketWidth: number): string {
  const quotient = `${value} / ${realSql(bucketWidth)}`;
  const inBounds = `max(min(${quotient}, ${realSql(lastBucket)}), ${realSql(-lastBucket)})`;
  const whole = `CAST(${inBounds} AS INTEGER)`;
  return `coalesce(${whole} - (${inBounds} < ${whole}), ${realSql(nullBucket)})`;
}

function countName(): string {
  return quoteName('$count');
}

function sumName(field: string): string {
  return quoteName(`${field}$sum`);
}

/** Names of the columns that hold counts and sums. */
export const tallyColumns: {
  readonly count: () => string;
  readonly sum: (field: string) => string;
} = {
  count: countName,
  sum: sumName,
};

function leadSql(field: string, row = ''): string {
  return `coalesce(${row}${quoteName(field)}, ${nullLead})`;
}

/** Adds or takes away one row, named NEW or OLD in a trigger. */
function countRowSql(tally: TallyTable, row: 'NEW' | 'OLD'): string {
  const sign = row === 'NEW' ? '+' : '-';
  const key = [
    ...tally.lead.map((field) => leadSql(field, `${row}.`)),
    bucketSql(`${row}.${quoteName(tally.last)}`, tally.bucketWidth),
  ];
  const amounts = ['1', ...tally.sums.map((field) => `coalesce(${row}.${quoteName(field)}, 0)`)];
  const kept = [countName(), ...tally.sums.map(sumName)];
  const keyNames = [...tally.lead.map(quoteName), 'bucket'].join(', ');
  const changes = kept.map((name) => `${name} = ${name} ${sign} excluded.${name}`).join(', ');
  const table = quoteName(tally.table);
  return `INSERT INTO ${table} (${keyNames}, ${kept.join(', ')}) VALUES (${[...key, ...amounts].join(', ')})
    ON CONFLICT (${keyNames}) DO UPDATE SET ${changes};`;
}

/** Removes the bucket of the old row once it counts nothing. */
function sweepSql(tally: TallyTable): string {
  const conditions = [
    ...tally.lead.map((field) => `${quoteName(field)} = ${leadSql(field, 'OLD.')}`),
    `bucket = ${bucketSql(`OLD.${quoteName(tally.last)}`, tally.bucketWidth)}`,
    `${countName()} = 0`,
  ];
  return `DELETE FROM ${quoteName(tally.table)} WHERE ${conditions.join(' AND ')};`;
}

function triggerName(tally: TallyTable, event: string): string {
  return quoteName(`${tally.table}$${event}`);
}

/** What the kept counts should be, in the order of their columns. */
function countsSql(collection: string, tally: TallyTable): string {
  const key = [
    ...tally.lead.map((field) => leadSql(field)),
    bucketSql(quoteName(tally.last), tally.bucketWidth),
  ];
  const totals = [
    'count(*)',
    ...tally.sums.map((field) => `coalesce(sum(${quoteName(field)}), 0)`),
  ];
  const places = key.map((_, at) => at + 1).join(', ');
  return `SELECT ${[...key, ...totals].join(', ')} FROM ${quoteName(collection)} GROUP BY ${places}`;
}

/** Table, triggers and first counts. Triggers keep the counts true whoever writes, a person with a shell included. */
export function tallyTableSql(collection: string, tally: TallyTable): string[] {
  const table = quoteName(tally.table);
  const source = quoteName(collection);
  const lead = tally.lead.map(quoteName);
  const sums = tally.sums.map((field) => `${sumName(field)} INTEGER NOT NULL`);
  const columns = [...lead, 'bucket INTEGER NOT NULL', `${countName()} INTEGER NOT NULL`, ...sums];
  const watched = [...new Set([...tally.lead, tally.last, ...tally.sums])].map(quoteName);
  const add = countRowSql(tally, 'NEW');
  const take = `${countRowSql(tally, 'OLD')} ${sweepSql(tally)}`;
  return [
    `CREATE TABLE ${table} (${columns.join(', ')}, PRIMARY KEY (${[...lead, 'bucket'].join(', ')})) WITHOUT ROWID`,
    `CREATE TRIGGER ${triggerName(tally, 'insert')} AFTER INSERT ON ${source} BEGIN ${add} END`,
    `CREATE TRIGGER ${triggerName(tally, 'delete')} AFTER DELETE ON ${source} BEGIN ${take} END`,
    `CREATE TRIGGER ${triggerName(tally, 'update')} AFTER UPDATE OF ${watched.join(', ')} ON ${source} BEGIN ${add} ${take} END`,
    `INSERT INTO ${table} ${countsSql(collection, tally)}`,
  ];
}

/** Finds a kept count that is not that of the records, if there is one. */
export function tallyDifferencesSql(collection: string, tally: TallyTable): string {
  const kept = `SELECT * FROM ${quoteName(tally.table)}`;
  const counted = countsSql(collection, tally);
  const differ = (one: string, other: string) => `SELECT * FROM (${one} EXCEPT ${other})`;
  return `${differ(kept, counted)} UNION ALL ${differ(counted, kept)} LIMIT 1`;
}

/** Counts all records again. */
export function recountSql(collection: string, tally: TallyTable): string[] {
  const table = quoteName(tally.table);
  return [`DELETE FROM ${table}`, `INSERT INTO ${table} ${countsSql(collection, tally)}`];
}

/** Drops what {@link tallyTableSql} made. */
export function dropTallyTableSql(tally: TallyTable): string[] {
  return [
    ...['insert', 'delete', 'update'].map(
      (event) => `DROP TRIGGER IF EXISTS ${triggerName(tally, event)}`,
    ),
    `DROP TABLE IF EXISTS ${quoteName(tally.table)}`,
  ];
}

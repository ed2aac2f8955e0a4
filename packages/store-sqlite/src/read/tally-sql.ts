import type { ScanQuery, TallyQuery } from '@ctx/store/backend';
import { allOf, type Condition, compares, equalTos, inRange, quoteName } from '@ctx/store/sql';
import type { CollectionTable, TableIndex } from '../schema/collection-table.ts';
import {
  bucketOf,
  nullBucket,
  nullLead,
  type TallyTable,
  tallyColumns,
} from '../schema/tally-table.ts';
import { rangeShape } from './scan-sql.ts';

/** A query's answer comes as columns g0, g1, … for the group, n for the count, s0, s1, … for the sums. */
interface Arm {
  /** Whether it reads the kept counts, not the rows. */
  readonly isKept: boolean;
  readonly conditions: readonly Condition[];
}

/** What an arm selects of the rows, or of the kept counts. */
function selectedBy(
  index: TableIndex,
  { groupBy = [], sums = [] }: TallyQuery,
  isKept: boolean,
): { source: string; groups: string[]; count: string; sums: string[] } {
  if (isKept && index.tally !== undefined) {
    return {
      source: quoteName(index.tally.table),
      groups: groupBy.map((field) => `nullif(${quoteName(field)}, ${nullLead})`),
      count: `total(${tallyColumns.count()})`,
      sums: sums.map(tallyColumns.sum),
    };
  }
  const [groups, added] = [groupBy.map(quoteName), sums.map(quoteName)];
  return { source: index.source, groups, count: 'count(*)', sums: added };
}

function armSql(index: TableIndex, query: TallyQuery, { isKept, conditions }: Arm): string {
  const { source, groups, count, sums } = selectedBy(index, query, isKept);
  const selected = [
    ...groups.map((group, at) => `${group} AS g${at}`),
    `${count} AS n`,
    ...sums.map((sum, at) => `total(${sum}) AS s${at}`),
  ];
  const groupBy = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`;
  return `SELECT ${selected.join(', ')} FROM ${source} WHERE ${allOf(conditions).sql}${groupBy}`;
}

function rowArm(index: TableIndex, query: TallyQuery, conditions: readonly Condition[]): Arm {
  return { isKept: false, conditions: [...equalTos(index.fields, query.equal), ...conditions] };
}

function keptArm(kept: TallyTable, query: TallyQuery, conditions: readonly Condition[]): Arm {
  const leads = query.equal.map((value, at): Condition => {
    const field = quoteName(kept.lead[at] ?? '');
    return value === null
      ? { sql: `${field} = ${nullLead}`, values: [] }
      : { sql: `${field} = ?`, values: [value] };
  });
  return { isKept: true, conditions: [...leads, ...conditions] };
}

/** Whether the kept counts can answer, but for the edges of a range of the last field. */
function isKept(kept: TallyTable, query: TallyQuery): boolean {
  return (
    query.equal.length <= kept.lead.length &&
    (query.groupBy ?? []).every((field) => kept.lead.includes(field)) &&
    (query.sums ?? []).every((field) => kept.sums.includes(field))
  );
}

/** How far a value may lie outside of its bucket's computed border, by rounding. */
function slackOf(border: number, width: number): number {
  return Math.abs(border) * 1e-12 + width * 1e-9;
}

/**
 * Whether a row counts into the bucket. Well inside of the borders two comparisons say so; near them it is decided by the same
 * expression that counted it, which takes several times as long.
 */
function isInBucket(
  { bucketWidth: width, last, bucketOfLast }: TallyTable,
  bucket: number,
): Condition {
  const counted = `${bucketOfLast} = ?`;
  if (Math.abs(bucket) >= 1e15) return { sql: counted, values: [bucket] };
  const low = bucket * width;
  const high = (bucket + 1) * width;
  const inside = [low + slackOf(low, width), high - slackOf(high, width)];
  const field = quoteName(last);
  return {
    sql: `((${field} > ? AND ${field} < ?) OR ${counted})`,
    values: [...inside, bucket],
  };
}

/** The rows of one edge bucket inside of the range. */
function edgeConditions(
  kept: TallyTable,
  bucket: number,
  range: NonNullable<ScanQuery['range']>,
): Condition[] {
  const { bucketWidth: width, last } = kept;
  const low = bucket * width;
  const high = (bucket + 1) * width;
  const isOpen = Math.abs(bucket) >= 1e15;
  const borders: Condition[] = isOpen
    ? []
    : [
        ...(range.from === undefined ? [compares(last, '>=', low - slackOf(low, width))] : []),
        ...(range.to === undefined ? [compares(last, '<=', high + slackOf(high, width))] : []),
      ];
  return [...borders, ...inRange(last, range), isInBucket(kept, bucket)];
}

function numberOf(bound: string | number | undefined): number | undefined {
  return typeof bound === 'number' ? bound : undefined;
}

/** One end of a range, with the bucket that it cuts. */
interface Edge {
  readonly range: NonNullable<ScanQuery['range']>;
  readonly bucket: number;
}

function edgesOf(
  kept: TallyTable,
  range: NonNullable<ScanQuery['range']>,
): { low: Edge | undefined; high: Edge | undefined } {
  const from = numberOf(range.from);
  const to = numberOf(range.to);
  const { fromExclusive = false, toExclusive = false } = range;
  return {
    low:
      from === undefined
        ? undefined
        : { range: { from, fromExclusive }, bucket: bucketOf(from, kept.bucketWidth) },
    high:
      to === undefined
        ? undefined
        : { range: { to, toExclusive }, bucket: bucketOf(to, kept.bucketWidth) },
  };
}

/** Edge rows from the index, whole buckets between them from the kept counts. */
function rangeArms(index: TableIndex, kept: TallyTable, query: TallyQuery): Arm[] {
  const { low, high } = edgesOf(kept, query.range ?? {});
  if (low !== undefined && high !== undefined && high.bucket - low.bucket <= 1) {
    return [rowArm(index, query, inRange(kept.last, query.range ?? {}))];
  }
  const between: Condition[] = [];
  if (low !== undefined) between.push(compares('bucket', '>', low.bucket));
  if (high !== undefined) between.push(compares('bucket', '<', high.bucket));
  // Null lies outside of every range with a bound.
  if (low === undefined && high !== undefined) between.push(compares('bucket', '>', nullBucket));
  const edges = [low, high].filter((edge) => edge !== undefined);
  const rows = edges.map(({ bucket, range }) =>
    rowArm(index, query, edgeConditions(kept, bucket, range)),
  );
  return [keptArm(kept, query, between), ...rows];
}

function armsOf(index: TableIndex, query: TallyQuery): Arm[] {
  const kept = index.tally;
  const field = index.fields[query.equal.length] ?? '';
  const range = query.range ?? {};
  if (kept === undefined || !isKept(kept, query))
    return [rowArm(index, query, inRange(field, range))];
  if (field === kept.last) return rangeArms(index, kept, query);
  // null stands as a blob in the kept counts, and a blob is beyond every text.
  const inside = inRange(field, range);
  if (inside.length === 0) return [keptArm(kept, query, [])];
  const notNull = { sql: `${quoteName(field)} <> ${nullLead}`, values: [] };
  return [keptArm(kept, query, [...inside, notNull])];
}

function buildSql(index: TableIndex, query: TallyQuery, arms: readonly Arm[]): string {
  const groups = (query.groupBy ?? []).map((_, at) => `g${at}`);
  const sums = (query.sums ?? []).map((_, at) => `total(s${at}) AS s${at}`);
  const selected = [...groups, 'total(n) AS n', ...sums].join(', ');
  const order =
    groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')} ORDER BY ${groups.join(', ')}`;
  const parts = arms.map((arm) => armSql(index, query, arm)).join(' UNION ALL ');
  return `SELECT ${selected} FROM (${parts})${order}`;
}

/**
 * All of a query that is in its SQL; the rest are values. The query says what an arm's conditions are but for those on the borders of
 * a bucket: their number tells whether they are there.
 */
function shapeOf(query: TallyQuery, arms: readonly Arm[]): string {
  const { groupBy = [], sums = [] } = query;
  const parts = arms.map(({ isKept, conditions }) => `${isKept ? 'k' : 'r'}${conditions.length}`);
  return [rangeShape(query), ...groupBy, '+', ...sums, ...parts].join(' ');
}

/** SQL by shape: as many as a collection has indexes, times the few ways to count by one. */
const known = new WeakMap<CollectionTable, Map<string, string>>();

/**
 * One statement, so that counts and edges are of one moment. The SQL of each shape of a query is built once.
 */
export function tallySql(table: CollectionTable, query: TallyQuery): Condition {
  const index = table.index(query.index);
  const arms = armsOf(index, query);
  const shapes = known.get(table) ?? new Map<string, string>();
  known.set(table, shapes);
  const shape = shapeOf(query, arms);
  const sql = shapes.get(shape) ?? buildSql(index, query, arms);
  shapes.set(shape, sql);
  return { sql, values: arms.flatMap(({ conditions }) => conditions.flatMap((one) => one.values)) };
}

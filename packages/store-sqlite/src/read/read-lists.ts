import { CtxError } from '@ctx/core';
import type { RecordScan, ScanQuery } from '@ctx/store/backend';
import { columnValue, quoteName } from '@ctx/store/sql';
import { type Connection, yieldToLoop } from '../driver/connection.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordId, recordVersion } from '../schema/names.ts';
import { readValues } from './read-values.ts';
import { buildStretches } from './scan-sql.ts';

/** The parts of a scan as lists. */
type RecordLists = NonNullable<Awaited<ReturnType<NonNullable<RecordScan['lists']>>>>[number];

/** Which values of a scan to read as lists, of `size` records each. */
type ListQuery = ScanQuery & { readonly names: readonly string[]; readonly size: number };

/** After so many records others have their turn. */
const stepRecords = 3000;

/** SQLite's sign for no limit. */
const noLimit = -1;

/** Numbers that SQLite does not write exactly into JSON: it keeps 15 digits. They are read as numbers. */
function isReal({ definition }: CollectionTable, name: string): boolean {
  return Object.hasOwn(definition.columns, name) && definition.columns[name]?.type === 'real';
}

/** The ids of the records, in order, and the reals that stand in the index beside them. */
interface Walked {
  readonly ids: readonly unknown[];
  readonly reals: ReadonlyMap<string, readonly unknown[]>;
}

function walkIndex(connection: Connection, table: CollectionTable, query: ListQuery): Walked {
  const { fields } = table.index(query.index);
  const names = query.names.filter((name) => isReal(table, name) && fields.includes(name));
  const selected = [recordId, ...names.map(quoteName)].join(', ');
  const rows = buildStretches(table, query, selected).flatMap(({ sql, values }) =>
    readValues(connection, sql, [...values, noLimit]),
  );
  const { name } = table.definition;
  const valuesAt = (at: number) => rows.map((row) => columnValue(row[at], name));
  return {
    ids: rows.map(([id]) => id),
    reals: new Map(names.map((name, at) => [name, valuesAt(at + 1)])),
  };
}

/** Some records by a JSON list of their ids, in its order: the left side of a cross join is walked first. */
function joinSql({ table }: CollectionTable, selected: string): string {
  return `SELECT ${selected} FROM json_each(?) AS wanted CROSS JOIN ${table} AS record ON record.${recordId} = wanted.value`;
}

const field = (name: string): string => `record.${quoteName(name)}`;

/** The reals of some records as a JSON list that reads back to exactly these. */
function readReals(
  connection: Connection,
  table: CollectionTable,
  { name, ids }: { name: string; ids: string },
): string {
  const rows = readValues(connection, joinSql(table, field(name)), [ids]);
  return JSON.stringify(rows.map(([value]) => columnValue(value, table.definition.name)));
}

/** What one row says of a part: its ids, versions, and a list or, of reals, a count for each name. */
function partSql(table: CollectionTable, names: readonly string[]): string {
  const selected = names.map((name, at) => {
    const gathered = isReal(table, name) ? 'count' : 'json_group_array';
    return `${gathered}(${field(name)}) AS of_${String(at)}`;
  });
  const version = `json_group_array(record.${recordVersion}) AS versions`;
  return joinSql(table, ['json_group_array(wanted.value) AS ids', version, ...selected].join(', '));
}

function readPart(
  connection: Connection,
  table: CollectionTable,
  { names, ids, reals }: Walked & { names: readonly string[] },
): RecordLists {
  const wanted = JSON.stringify(ids);
  const gathered = names.filter((name) => !reals.has(name));
  const row = connection.statement(partSql(table, gathered)).get(wanted) ?? {};
  if (row['ids'] !== wanted) {
    throw new CtxError(
      'CTX_STORE_IO',
      'SQLite gave records in another order than they were asked for',
    );
  }
  const lists = names.map((name): [string, string] => {
    const walked = reals.get(name);
    if (walked !== undefined) return [name, JSON.stringify(walked)];
    const found = row[`of_${String(gathered.indexOf(name))}`];
    if (!isReal(table, name)) return [name, String(found)];
    // Most are null: those need not be read.
    if (found === 0) return [name, JSON.stringify(new Array<null>(ids.length).fill(null))];
    return [name, readReals(connection, table, { name, ids: wanted })];
  });
  return {
    count: ids.length,
    lists: Object.fromEntries(lists),
    versions: String(row['versions']),
  };
}

/**
 * The records of a scan as lists, made by SQLite: taking values out of it one by one, and making records of them, takes twice as long
 * as all else that is done with them. All of them are of one moment: what writes meanwhile waits, or is not seen.
 */
export function readLists(
  connection: Connection,
  table: CollectionTable,
  query: ListQuery,
): Promise<RecordLists[]> {
  const { names, size } = query;
  return connection.run(() =>
    connection.snapshot(async () => {
      const { ids, reals } = walkIndex(connection, table, query);
      const parts: RecordLists[] = [];
      for (let from = 0; from < ids.length; from += size) {
        const end = from + size;
        const some = [...reals].map(([name, all]) => [name, all.slice(from, end)] as const);
        const walked = { ids: ids.slice(from, end), reals: new Map(some) };
        parts.push(readPart(connection, table, { names, ...walked }));
        if (from % stepRecords < size) await yieldToLoop();
      }
      return parts;
    }),
  );
}

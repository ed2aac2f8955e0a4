import type { RecordScan, ScanQuery } from '@ctx/store/backend';
import { quoteName } from '@ctx/store/sql';
import type { SqlList, SqlSession } from '../driver/sql-driver.ts';
import type { CollectionTable } from '../schema/collection-table.ts';
import { recordVersion } from '../schema/names.ts';
import { type Statement, scanStatements } from './scan-sql.ts';

/** The parts of a scan as lists. */
type RecordLists = NonNullable<Awaited<ReturnType<NonNullable<RecordScan['lists']>>>>[number];

/** Which values of a scan to read as lists, of `size` records each. */
type ListQuery = ScanQuery & { readonly names: readonly string[]; readonly size: number };

/** Numbers that the server writes in another way than JSON does here, if as exactly. */
function isReal({ definition }: CollectionTable, name: string): boolean {
  return Object.hasOwn(definition.columns, name) && definition.columns[name]?.type === 'real';
}

/** Gathers each field of all records into one array, in the order of the index, and cuts these into parts. */
function listsStatement(
  table: CollectionTable,
  { names, size, ...query }: ListQuery,
): Statement | undefined {
  const fields = [...names.map(quoteName), recordVersion];
  const selected = fields.map((field, at) => `${table.table}.${field} AS v${String(at)}`);
  const [scan] = scanStatements(table, query, { selected: selected.join(', ') });
  if (scan === undefined) return undefined;
  const gathered = fields.map((_, at) => `array_agg(v${String(at)}) AS a${String(at)}`);
  const part = `[start::integer : (start + ${String(size - 1)})::integer]`;
  const cut = fields.map((_, at) => `array_to_json(a${String(at)}${part})::text`);
  const sql = `WITH gathered AS MATERIALIZED (SELECT count(*) AS n, ${gathered.join(', ')} FROM (${scan.sql}) AS found)
    SELECT least(${String(size)}, n - start + 1), ${cut.join(', ')}
    FROM gathered, generate_series(1, n, ${String(size)}) AS start ORDER BY start`;
  return { sql, values: scan.values };
}

function partOf(
  table: CollectionTable,
  names: readonly string[],
  [count, ...texts]: SqlList,
): RecordLists {
  const lists = names.map((name, at): [string, string] => {
    const text = String(texts[at]);
    return [name, isReal(table, name) ? JSON.stringify(JSON.parse(text)) : text];
  });
  return {
    count: Number(count),
    lists: Object.fromEntries(lists),
    versions: String(texts[names.length]),
  };
}

/**
 * The records of a scan as lists, made by the server in one statement, and so of one moment. Makes a text for each field of a part
 * crosses over in place of a value for each field of a record.
 */
export async function readLists(
  session: SqlSession,
  table: CollectionTable,
  query: ListQuery,
): Promise<RecordLists[]> {
  const statement = listsStatement(table, query);
  if (statement === undefined) return [];
  const rows = await session.lists(statement.sql, statement.values);
  return rows.map((row) => partOf(table, query.names, row));
}

import type { CollectionDefinition } from '@ctx/store/backend';
import { planViews, quoteName } from '@ctx/store/sql';
import { recordBody } from './names.ts';

/** The moment of the query; tests put another in its place. */
export const viewMoment = 'statement_timestamp()';

/** Below, `exp` of PostgreSQL fails for lack of digits. */
const lowestExponent = -700;

/** A view that the schema should have, and how it is asked. */
export type WantedView = ReturnType<typeof planViews>[number];

/** Null where the body is compressed, or holds what a text of PostgreSQL cannot. */
function bodyText(path: string): string {
  const isReadable = `strpos(${recordBody}, '\\u0000') = 0 AND strpos(${recordBody}, '\\ud') = 0`;
  return `CASE WHEN ${isReadable} THEN ${recordBody}::json ->> '${path}' END`;
}

/** The views over collections, for a person with psql. */
export function viewsOf(
  definitions: readonly CollectionDefinition[],
  schema: string,
): WantedView[] {
  return planViews(definitions, {
    nowMs: `CAST(floor(extract(epoch FROM ${viewMoment}) * 1000) AS double precision)`,
    least: 'least',
    exp: (exponent) => `exp(greatest(${String(lowestExponent)}, ${exponent}))`,
    moment: (column) => `to_timestamp(${column} / 1000.0)`,
    bodyText,
    table: (collection) => `${schema}.${quoteName(collection)}`,
  });
}

/** Makes a view anew. */
export function viewSql({ name, select }: WantedView, schema: string): string[] {
  return [dropViewSql(name, schema), `CREATE VIEW ${schema}.${quoteName(name)} AS ${select}`];
}

/** Takes a view away, also to make room for a collection that is named like it. */
export function dropViewSql(name: string, schema: string): string {
  return `DROP VIEW IF EXISTS ${schema}.${quoteName(name)}`;
}

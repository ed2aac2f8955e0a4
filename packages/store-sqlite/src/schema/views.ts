import type { CollectionDefinition } from '@ctx/store/backend';
import { planViews, quoteName } from '@ctx/store/sql';
import { recordBody } from './names.ts';

/** The views over collections, for a person with a SQLite shell, each with what the file's schema says of it once it is made. */
export function viewsOf(
  definitions: readonly CollectionDefinition[],
): { readonly name: string; readonly sql: string }[] {
  const views = planViews(definitions, {
    // SQLite keeps no less than a ms, but gives it as a fraction of days.
    nowMs: `CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)`,
    least: 'min',
    exp: (exponent) => `exp(${exponent})`,
    moment: (column) => `strftime('%Y-%m-%d %H:%M:%f', ${column} / 1000.0, 'unixepoch')`,
    // Null where the body is compressed.
    bodyText: (path) =>
      `CASE typeof(${recordBody}) WHEN 'text' THEN json_extract(${recordBody}, '$.${path}') END`,
    table: quoteName,
  });
  return views.map(({ name, select }) => ({
    name,
    sql: `CREATE VIEW ${quoteName(name)} AS ${select}`,
  }));
}

/** Takes a view away, also to make room for a collection that is named like it. */
export function dropViewSql(name: string): string {
  return `DROP VIEW IF EXISTS ${quoteName(name)}`;
}

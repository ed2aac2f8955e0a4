import { type CollectionDefinition, isSameIndex } from '@ctx/store/backend';
import { addColumnSql, indexSql, tableSql, wordsTableSql } from './create-tables.ts';
import { indexName, quoteName, wordsColumnName, wordsTableName } from './names.ts';
import { dropTallyTableSql, tallyTableOf, tallyTableSql } from './tally-table.ts';
import { dropViewSql } from './views.ts';

function indexSteps(
  stored: CollectionDefinition | undefined,
  merged: CollectionDefinition,
): string[] {
  const steps: string[] = [];
  for (const index of merged.indexes) {
    const before = stored?.indexes.find(({ name }) => name === index.name);
    if (isSameIndex(before, index)) continue;
    const keptBefore = before && tallyTableOf(merged, before);
    if (keptBefore !== undefined) steps.push(...dropTallyTableSql(keptBefore));
    if (before !== undefined)
      steps.push(`DROP INDEX ${quoteName(indexName(merged.name, index.name))}`);
    steps.push(indexSql(merged, index));
    const kept = tallyTableOf(merged, index);
    if (kept !== undefined) steps.push(...tallyTableSql(merged.name, kept));
  }
  return steps;
}

/** Moves the words into a full-text table with more fields. They are read back out of the old table's index. */
function moveWordsSql(stored: CollectionDefinition, merged: CollectionDefinition): string[] {
  const name = wordsTableName(merged.name);
  const old = `${name}$old`;
  const list = quoteName(`${name}$list`);
  const columns = ['scope', ...stored.search.map((field) => wordsColumnName(field.name))];
  const texts = columns.map(
    (column) => `coalesce(group_concat(CASE col WHEN '${column}' THEN term END, ' '), '')`,
  );
  return [
    `ALTER TABLE ${quoteName(name)} RENAME TO ${quoteName(old)}`,
    ...wordsTableSql(merged),
    `CREATE VIRTUAL TABLE temp.${list} USING fts5vocab('main', '${old}', 'instance')`,
    `INSERT INTO ${quoteName(name)} (rowid, ${columns.map(quoteName).join(', ')})
      SELECT doc, ${texts.join(', ')} FROM temp.${list} GROUP BY doc`,
    `DROP TABLE temp.${list}`,
    `DROP TABLE ${quoteName(old)}`,
  ];
}

function wordsSteps(
  stored: CollectionDefinition | undefined,
  merged: CollectionDefinition,
): string[] {
  const before = stored?.search ?? [];
  if (merged.search.length === before.length) return [];
  if (stored === undefined || before.length === 0) return wordsTableSql(merged);
  return moveWordsSql(stored, merged);
}

/** The SQL that turns what the file holds of a collection into what is wanted; empty where nothing is missing. */
export function planMigration(
  stored: CollectionDefinition | undefined,
  merged: CollectionDefinition,
): string[] {
  const added = Object.entries(merged.columns).filter(
    ([name]) => !Object.hasOwn(stored?.columns ?? {}, name),
  );
  const columns =
    stored === undefined
      ? [...dropViewSql(merged.name), ...tableSql(merged)]
      : added.map(([name, { type }]) => addColumnSql(merged.name, name, type));
  return [...columns, ...indexSteps(stored, merged), ...wordsSteps(stored, merged)];
}

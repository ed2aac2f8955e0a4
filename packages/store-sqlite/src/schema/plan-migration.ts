import type { CollectionDefinition } from '@ctx/store/backend';
import { type planDefinitions, quoteName } from '@ctx/store/sql';
import { addColumnSql, indexSql, tableSql, wordsTableSql } from './create-tables.ts';
import { indexName, wordsColumnName, wordsTableName } from './names.ts';
import { dropTallyTableSql, tallyTableOf, tallyTableSql } from './tally-table.ts';

type Change = ReturnType<typeof planDefinitions>['changed'][number];

function indexSteps({ merged, indexes }: Change): string[] {
  const steps: string[] = [];
  for (const { index, before } of indexes) {
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

function wordsSteps({ stored, merged }: Change): string[] {
  const before = stored?.search ?? [];
  if (merged.search.length === before.length) return [];
  if (stored === undefined || before.length === 0) return wordsTableSql(merged);
  return moveWordsSql(stored, merged);
}

function columnSteps({ stored, merged, columns }: Change): string[] {
  if (stored === undefined) return tableSql(merged);
  return Object.entries(merged.columns)
    .filter(([name]) => columns.includes(name))
    .map(([name, { type }]) => addColumnSql(merged.name, name, type));
}

/** The SQL that turns what the file holds of a collection into what is wanted. */
export function planMigration(change: Change): string[] {
  return [...columnSteps(change), ...indexSteps(change), ...wordsSteps(change)];
}

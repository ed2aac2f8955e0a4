import type { ColumnValue, ListQuery, RecordLists, StoredRecord } from './store-backend.ts';

/** What a list of a record needs of it. */
type ListedRecord = Pick<StoredRecord, 'key' | 'columns' | 'version'>;

/**
 * Makes lists of records that were read one by one: what backends without lists are asked for, and a way to offer them.
 * `valueOf` finds a value by its name.
 */
export function listsOf(
  records: readonly ListedRecord[],
  { names, size }: Pick<ListQuery, 'names' | 'size'>,
  valueOf: (record: ListedRecord, name: string) => ColumnValue,
): RecordLists[] {
  const parts: RecordLists[] = [];
  for (let from = 0; from < records.length; from += size) {
    const part = records.slice(from, from + size);
    const lists = names.map((name): [string, string] => [
      name,
      JSON.stringify(part.map((record) => valueOf(record, name))),
    ]);
    parts.push({
      count: part.length,
      lists: Object.fromEntries(lists),
      versions: JSON.stringify(part.map(({ version }) => version)),
    });
  }
  return parts;
}

/** The values of a list. Throws: `TypeError` where the text holds no list. */
export function listedValues(text: string | undefined): readonly unknown[] {
  const values: unknown = JSON.parse(text ?? 'null');
  if (!Array.isArray(values)) throw new TypeError('a list of records is none');
  return values;
}

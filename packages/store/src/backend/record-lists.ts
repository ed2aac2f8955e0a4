import type {
  ColumnValue,
  CollectionRange,
  RecordLists,
  ScanQuery,
  StoredRecord,
} from './store-backend.ts';

/** Which values of a scan to read as lists, of `size` records each. */
export interface ListQuery extends CollectionRange, Pick<ScanQuery, 'descending'> {
  /** Key parts and columns. */
  readonly names: readonly string[];
  readonly size: number;
}

/** What a list of a record needs of it. */
type ListedRecord = Pick<StoredRecord, 'key' | 'columns' | 'version'>;

/** Finds a value of a record by its name. */
export type FieldReader = (record: ListedRecord, name: string) => ColumnValue;

/**
 * Makes lists of records that were read one by one: what backends without lists are asked for, and a way to offer them.
 * `valueOf` finds a value by its name.
 */
export function listsOf(
  records: readonly ListedRecord[],
  { names, size }: Pick<ListQuery, 'names' | 'size'>,
  valueOf: FieldReader,
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

/**
 * The values of a list.
 * @throws `TypeError` where the text holds no list.
 */
export function listedValues(text: string | undefined): readonly unknown[] {
  const values: unknown = JSON.parse(text ?? 'null');
  if (!Array.isArray(values)) throw new TypeError('a list of records is none');
  return values;
}

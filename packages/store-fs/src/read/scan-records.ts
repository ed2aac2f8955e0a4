import { CtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  compareKeys,
  type RecordKey,
  type ScanQuery,
  type StoredRecord,
} from '@ctx/store/backend';
import type { RecordIndex } from '../index/record-index.ts';
import type { StoreState } from '../state/store-state.ts';
import { damageOf, readScanned } from './read-records.ts';

/** Records whose files a scan reads ahead: few at first, since many scans stop early. */
const firstPage = 4;
const laterPages = 32;

type Range = NonNullable<ScanQuery['range']>;

/** The fields of an index; of the order `key` the parts of the key. */
function fieldsOf({ key, indexes }: CollectionDefinition, index: string): readonly string[] {
  return index === 'key' ? key : (indexes.find(({ name }) => name === index)?.fields ?? []);
}

async function* scanWhole(
  state: StoreState,
  definition: CollectionDefinition,
  { query, met }: { readonly query: ScanQuery; readonly met: CtxError[] },
): AsyncGenerator<StoredRecord> {
  const fields = fieldsOf(definition, query.index);
  const onDamage = (damage: CtxError): void => {
    met.push(damage);
  };
  const index = await state.refresh();
  let page: StoredRecord[] = [];
  let pageSize = firstPage;
  for await (const record of index.columns.scan(query)) {
    page.push(record);
    if (page.length < pageSize) continue;
    yield* await readScanned(state, definition, { scanned: page, fields, onDamage });
    page = [];
    pageSize = laterPages;
  }
  yield* await readScanned(state, definition, { scanned: page, fields, onDamage });
}

function lies(part: string, { from, fromExclusive, to, toExclusive }: Range): boolean {
  const low = from === undefined ? 1 : compareKeys([part], [String(from)]);
  const high = to === undefined ? -1 : compareKeys([part], [String(to)]);
  return (
    (low > 0 || (low === 0 && fromExclusive !== true)) &&
    (high < 0 || (high === 0 && toExclusive !== true))
  );
}

/** Whether a scan in the order of keys comes by a key. */
function comesBy(key: RecordKey, { equal, range, after, descending = false }: ScanQuery): boolean {
  if (!equal.every((part, at) => part === key[at])) return false;
  if (range !== undefined && !lies(key[equal.length] ?? '', range)) return false;
  if (after === undefined) return true;
  const order = compareKeys(key, after.key);
  return descending ? order < 0 : order > 0;
}

/**
 * What was set aside has lost its columns: which scans would come by it is known of those by the key alone, and of those by an index of
 * parts of the key that name one record. To a list may belong whatever its parts of the key do not rule out.
 */
function setAsideIn(
  index: RecordIndex,
  definition: CollectionDefinition,
  query: ScanQuery,
): readonly RecordKey[] {
  const { name, key } = definition;
  const found = index.quarantinedKeys(name);
  if (found.length === 0) return found;
  if (query.index === 'key') return found.filter((one) => comesBy(one, query));
  const { equal } = query;
  const fields = fieldsOf(definition, query.index);
  const isNamed = fields.length === equal.length && fields.every((field) => key.includes(field));
  if (!isNamed && query.isList !== true) return [];
  return found.filter((one) =>
    equal.every((value, at) => {
      const place = key.indexOf(fields[at] ?? '');
      return place === -1 || one[place] === value;
    }),
  );
}

/** Throws what a scan met; of several, each is a cause. */
function throwDamage(met: readonly CtxError[]): void {
  const [first, ...others] = new Map(met.map((error) => [error.message, error])).values();
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const message = `${first.message}; ${String(others.length)} more records are damaged, too`;
  const cause = new AggregateError([first, ...others]);
  throw new CtxError('CTX_STORE_CORRUPT', message, { cause });
}

/**
 * The records of a scan.
 * @throws `CTX_STORE_CORRUPT` where some that the scan comes by cannot be read, after all that can: scans by other columns than the key
 * leave out what was set aside, but for lists.
 */
export async function* scanRecords(
  state: StoreState,
  definition: CollectionDefinition,
  query: ScanQuery,
): AsyncGenerator<StoredRecord> {
  let given = 0;
  const met: CtxError[] = [];
  const isColumns = query.part === 'columns';
  const records = isColumns
    ? (await state.refresh()).columns.scan(query)
    : scanWhole(state, definition, { query: { ...query }, met });
  for await (const record of records) {
    given += 1;
    yield record;
  }
  const isLeftOut = isColumns && query.index === 'key' && query.isList !== true;
  if (given !== query.limit && !isLeftOut) {
    const index = await state.refresh();
    for (const key of setAsideIn(index, definition, query)) {
      const damage = damageOf(index, definition.name, key);
      if (damage !== undefined) met.push(damage);
    }
  }
  throwDamage(met);
}

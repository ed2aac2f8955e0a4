import type { CtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  checkScan,
  compareKeys,
  compareText,
  type FieldRange,
  fieldsOfIndex,
  type RecordKey,
  type ScanQuery,
  type StoredRecord,
} from '@ctx/store/backend';
import type { RecordIndex } from '../index/record-index.ts';
import type { StoreState } from '../state/store-state.ts';
import { checkReadable, readScanned } from './read-records.ts';

/** Records whose files a scan reads ahead: few at first, since many scans stop early. */
const firstPage = 4;
const laterPages = 32;

async function* scanWhole(
  state: StoreState,
  definition: CollectionDefinition,
  query: ScanQuery,
): AsyncGenerator<StoredRecord> {
  const fields = fieldsOfIndex(definition, query.index);
  const met: CtxError[] = [];
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
  const [first] = met;
  if (first !== undefined) throw first;
}

function lies(part: string, { from, fromExclusive, to, toExclusive }: FieldRange): boolean {
  const low = from === undefined ? 1 : compareText(part, String(from));
  const high = to === undefined ? -1 : compareText(part, String(to));
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
 * parts of the key that name one record.
 */
function setAsideIn(
  index: RecordIndex,
  { name, key, indexes }: CollectionDefinition,
  query: ScanQuery,
): RecordKey | undefined {
  const found = index.quarantinedKeys(name);
  if (found.length === 0) return undefined;
  if (query.index === 'key') return found.find((one) => comesBy(one, query));
  const { fields = [] } = indexes.find((one) => one.name === query.index) ?? {};
  const isNamed = fields.length > 0 && fields.length === query.equal.length;
  if (!isNamed || !fields.every((field) => key.includes(field))) return undefined;
  return found.find((one) =>
    fields.every((field, at) => one[key.indexOf(field)] === query.equal[at]),
  );
}

/**
 * The records of a scan. Throws: `CTX_STORE_CORRUPT` where one that the scan comes by cannot be read, behind all that can: scans by other
 * columns than the key leave out what was set aside.
 */
export async function* scanRecords(
  state: StoreState,
  definition: CollectionDefinition,
  query: ScanQuery,
): AsyncGenerator<StoredRecord> {
  checkScan(definition, query);
  let given = 0;
  const isColumns = query.part === 'columns';
  const records = isColumns
    ? (await state.refresh()).columns.scan(query)
    : scanWhole(state, definition, { ...query });
  for await (const record of records) {
    given += 1;
    yield record;
  }
  if (given === query.limit || (isColumns && query.index === 'key')) return;
  const index = await state.refresh();
  const gone = setAsideIn(index, definition, query);
  if (gone !== undefined) checkReadable(index, definition.name, gone);
}

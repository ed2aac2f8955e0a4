import { CtxError } from '@ctx/core';
import {
  type CollectionDefinition,
  type ColumnValue,
  compareValueLists,
  compareValues,
  completeColumns,
  type FieldRange,
  fieldsOfIndex,
  fieldValue,
  keyText,
  type ScanQuery,
  type StoredRecord,
  type Tally,
  type TallyQuery,
  type WriteOperation,
} from '@ctx/store/backend';

/** All records by {@link nameOf}. */
export type Records = Map<string, StoredRecord>;

/** Name of a record over all collections. */
export function nameOf(collection: string, key: readonly string[]): string {
  return `${collection}\u0000${keyText(key)}`;
}

/** The record after the operation; undefined where it is gone, `before` where nothing changes. */
function after(
  definition: CollectionDefinition,
  operation: WriteOperation,
  before: StoredRecord | undefined,
): StoredRecord | undefined {
  if (operation.type === 'check') return before;
  if (operation.type === 'delete') return undefined;
  const isPut = operation.type === 'put';
  return {
    key: [...operation.key],
    version: (before?.version ?? 0) + 1,
    columns: completeColumns(definition, operation.columns, isPut ? {} : before?.columns),
    body: isPut ? operation.body : (before?.body ?? ''),
  };
}

/** Does one operation on a draft. Throws: `CTX_STORE_CONFLICT`. */
export function applyOperation(
  draft: Records,
  definition: CollectionDefinition,
  operation: WriteOperation,
): void {
  const name = nameOf(operation.collection, operation.key);
  const before = draft.get(name);
  const version = before?.version ?? 0;
  const isMissing = operation.type === 'patch' && before === undefined;
  if (isMissing || (operation.expectVersion ?? version) !== version) {
    throw new CtxError('CTX_STORE_CONFLICT', `${operation.type} met another version`);
  }
  const next = after(definition, operation, before);
  if (next === undefined) draft.delete(name);
  else draft.set(name, next);
}

function isInRange(value: ColumnValue, range: FieldRange): boolean {
  const { from, to, fromExclusive = false, toExclusive = false } = range;
  if (value === null) return from === undefined && to === undefined;
  const low = from === undefined ? 1 : compareValues(value, from);
  const high = to === undefined ? -1 : compareValues(value, to);
  return (fromExclusive ? low > 0 : low >= 0) && (toExclusive ? high < 0 : high <= 0);
}

/** Filters and sorts all records: simple, and right for a few thousand of them. */
export function selectRecords(
  records: Records,
  definition: CollectionDefinition,
  query: ScanQuery,
): StoredRecord[] {
  const fields = fieldsOfIndex(definition, query.index);
  const orderOf = (record: StoredRecord): ColumnValue[] => [
    ...fields.map((field) => fieldValue(definition, record, field)),
    ...record.key,
  ];
  const direction = query.descending === true ? -1 : 1;
  const after = query.after && [...query.after.values, ...query.after.key];
  return [...records]
    .filter(([name]) => name.startsWith(`${query.collection}\u0000`))
    .map(([, record]) => ({ record, order: orderOf(record) }))
    .filter(
      ({ order }) =>
        compareValueLists(order.slice(0, query.equal.length), query.equal) === 0 &&
        isInRange(order[query.equal.length] ?? null, query.range ?? {}) &&
        (after === undefined || direction * compareValueLists(order, after) > 0),
    )
    .sort((left, right) => direction * compareValueLists(left.order, right.order))
    .slice(0, query.limit)
    .map(({ record }) => record);
}

/** Counts and sums what a scan would give. */
export function tallyRecords(
  records: Records,
  definition: CollectionDefinition,
  { groupBy = [], sums = [], ...query }: TallyQuery,
): Tally[] {
  const groups = new Map<string, Tally>();
  const empty = { count: 0, sums: sums.map(() => 0) };
  if (groupBy.length === 0) groups.set('[]', { group: [], ...empty });
  for (const record of selectRecords(records, definition, query)) {
    const valueOf = (field: string): ColumnValue => fieldValue(definition, record, field);
    const group = groupBy.map(valueOf);
    const before = groups.get(JSON.stringify(group)) ?? empty;
    const total = before.sums.map((sum, at) => sum + Number(valueOf(sums[at] ?? '')));
    groups.set(JSON.stringify(group), { group, count: before.count + 1, sums: total });
  }
  return [...groups.values()].sort((left, right) => compareValueLists(left.group, right.group));
}

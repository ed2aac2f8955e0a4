import { CtxError } from '@ctx/core';
import type {
  CollectionDefinition,
  ColumnValue,
  CollectionRange,
  RecordKey,
  ScanQuery,
  StoredRecord,
} from './store-backend.ts';

/** Bounds of one field. */
export type FieldRange = NonNullable<CollectionRange['range']>;

/** A place in an index. */
export type ScanPosition = NonNullable<ScanQuery['after']>;

/** The name of the index that every collection has: the order of the key. */
export const keyIndex: string = 'key';

/**
 * The fields of an index as `equal` and `range` see them; for `key` the parts of the key.
 * @throws `CTX_INVALID_INPUT` where the collection has no such index.
 */
export function fieldsOfIndex(definition: CollectionDefinition, index: string): readonly string[] {
  if (index === keyIndex) return definition.key;
  const found = definition.indexes.find((candidate) => candidate.name === index);
  if (found === undefined) {
    throw new CtxError('CTX_INVALID_INPUT', `${definition.name} has no index of that name`);
  }
  return found.fields;
}

/** The value of a key part or column. */
export function fieldValue(
  definition: CollectionDefinition,
  record: Pick<StoredRecord, 'key' | 'columns'>,
  field: string,
): ColumnValue {
  const part = definition.key.indexOf(field);
  return (part >= 0 ? record.key[part] : record.columns[field]) ?? null;
}

/** Where a record stands in an index: what `ScanQuery.after` takes to go on after it. */
export function positionOf(
  definition: CollectionDefinition,
  index: string,
  record: Pick<StoredRecord, 'key' | 'columns'>,
): ScanPosition {
  const fields = fieldsOfIndex(definition, index);
  return { values: fields.map((field) => fieldValue(definition, record, field)), key: record.key };
}

/** A key as one text, different for different keys: parts hold no U+0000. For maps, not for storage. */
export function keyText(key: RecordKey): string {
  return key.join('\u0000');
}

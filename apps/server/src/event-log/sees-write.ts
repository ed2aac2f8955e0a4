import { storeCollections } from '@ctx/store';
import type { WriteOperation, WriteOptions } from '@ctx/store/backend';

/** What a write asks of the store, but for its events. */
export interface AskedWrite {
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions | undefined;
}

type Range = NonNullable<WriteOptions['emptyRanges']>[number];

const definitions = new Map(storeCollections.map((one) => [one.name, one]));

/** Whether a record lies outside of a range whatever its columns are: a part of its key says so. */
function isOutside({ collection, index, equal }: Range, operation: WriteOperation): boolean {
  if (operation.collection !== collection) return true;
  const definition = definitions.get(collection);
  const indexed = definition?.indexes.find(({ name }) => name === index);
  const fields = index === 'key' ? definition?.key : indexed?.fields;
  return equal.some((value, at) => {
    const part = definition?.key.indexOf(fields?.[at] ?? '') ?? -1;
    return part >= 0 && operation.key[part] !== value;
  });
}

/**
 * Whether a write looks into ranges in which another one may change something. Of one that patches ranges that is taken for true: its
 * patches are seen by others, too.
 */
export function mayLookInto({ options }: AskedWrite, { operations, options: others }: AskedWrite) {
  if (options?.patchRanges !== undefined || others?.patchRanges !== undefined) return true;
  const { emptyRanges = [] } = options ?? {};
  return emptyRanges.some((range) => !operations.every((one) => isOutside(range, one)));
}

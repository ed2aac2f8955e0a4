import { CtxError } from '@ctx/core';
import type { CollectionDefinition } from '../backend/store-backend.ts';

/** An index as queries use it. */
export interface SqlIndex {
  readonly name: string;
  /** The fields that a scan position names. */
  readonly positionFields: readonly string[];
  /** Those of `equal` and range, then the rest of the key: the total order. */
  readonly fields: readonly string[];
}

/** Returns what queries need of each index of a collection, `key` included, with what `add` knows of it. */
export function sqlIndexes<Added>(
  definition: CollectionDefinition,
  add: (name: string) => Added,
): (name: string) => SqlIndex & Added {
  const { key } = definition;
  const declared = definition.indexes.map(({ name, fields }) => {
    const rest = key.filter((part) => !fields.includes(part));
    return { name, positionFields: fields, fields: [...fields, ...rest] };
  });
  const all = [{ name: 'key', positionFields: [], fields: key }, ...declared];
  const indexes = new Map(all.map((index) => [index.name, { ...index, ...add(index.name) }]));
  return (name) => {
    const found = indexes.get(name);
    if (found !== undefined) return found;
    throw new CtxError('CTX_INVALID_INPUT', `${definition.name} has no index of that name`);
  };
}

import { CtxError } from '@ctx/core';
import type { CollectionDefinition, IndexDefinition } from './store-backend.ts';

function incompatible(name: string, what: string): CtxError {
  const message = `the store holds ${name} with another ${what}; give the changed collection a new name`;
  return new CtxError('CTX_INVALID_INPUT', message);
}

function mergeColumns(
  stored: CollectionDefinition,
  wanted: CollectionDefinition,
): CollectionDefinition['columns'] {
  for (const [name, { type }] of Object.entries(wanted.columns)) {
    const before = Object.hasOwn(stored.columns, name) ? stored.columns[name] : undefined;
    if (before !== undefined && before.type !== type) {
      throw incompatible(wanted.name, `type of the column ${name}`);
    }
  }
  return { ...stored.columns, ...wanted.columns };
}

/** Those of `stored` in their places, replaced by those of `wanted` of the same name, then the new ones. */
function mergeByName<T extends { readonly name: string }>(
  stored: readonly T[],
  wanted: readonly T[],
): T[] {
  const byName = new Map(stored.map((one) => [one.name, one]));
  for (const one of wanted) byName.set(one.name, one);
  return [...byName.values()];
}

/**
 * What a store must offer so that programs of both definitions can use it: nothing is taken away.
 * @throws `CTX_INVALID_INPUT` where key or column types differ.
 */
export function mergeDefinition(
  stored: CollectionDefinition | undefined,
  wanted: CollectionDefinition,
): CollectionDefinition {
  if (stored === undefined) return wanted;
  if (stored.key.join() !== wanted.key.join()) throw incompatible(wanted.name, 'key');
  return {
    name: wanted.name,
    key: wanted.key,
    columns: mergeColumns(stored, wanted),
    indexes: mergeByName(stored.indexes, wanted.indexes),
    search: mergeByName(stored.search, wanted.search),
  };
}

/** Whether two indexes have the same fields, leave out the same records and keep the same counts. */
export function isSameIndex(left: IndexDefinition | undefined, right: IndexDefinition): boolean {
  const shape = ({ fields, tally, notNull }: IndexDefinition): string =>
    JSON.stringify([fields, tally?.bucketWidth, tally?.sums, notNull]);
  return left !== undefined && shape(left) === shape(right);
}

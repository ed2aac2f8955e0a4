import { checkCollections } from '../backend/check/check-definition.ts';
import { isSameIndex, mergeDefinition } from '../backend/merge-definition.ts';
import type { CollectionDefinition, IndexDefinition } from '../backend/store-backend.ts';

/** How a collection of the database has to change. */
interface DefinitionChange {
  readonly merged: CollectionDefinition;
  /** As the database has it; absent where it has none. */
  readonly stored: CollectionDefinition | undefined;
  /** Names of the columns that it lacks. */
  readonly columns: readonly string[];
  /** The indexes that it lacks or has otherwise, each with what it has in its place. */
  readonly indexes: readonly {
    readonly index: IndexDefinition;
    readonly before: IndexDefinition | undefined;
  }[];
}

/** What a database is to hold. */
export interface DefinitionPlan {
  /** The wanted collections, merged with what the database has of them. */
  readonly merged: readonly CollectionDefinition[];
  /** These, and what else the database has. */
  readonly all: readonly CollectionDefinition[];
  /** What of `merged` the database does not have so. */
  readonly changed: readonly DefinitionChange[];
}

function changeOf(
  stored: CollectionDefinition | undefined,
  merged: CollectionDefinition,
): DefinitionChange {
  const indexes = merged.indexes.map((index) => ({
    index,
    before: stored?.indexes.find(({ name }) => name === index.name),
  }));
  return {
    ...{ merged, stored },
    columns: Object.keys(merged.columns).filter(
      (name) => !Object.hasOwn(stored?.columns ?? {}, name),
    ),
    indexes: indexes.filter(({ index, before }) => !isSameIndex(before, index)),
  };
}

/**
 * Decides what a database must offer so that programs of old and new definitions can use it.
 * @throws `CTX_INVALID_INPUT`.
 */
export function planDefinitions(
  stored: ReadonlyMap<string, CollectionDefinition>,
  wanted: readonly CollectionDefinition[],
): DefinitionPlan {
  checkCollections(wanted);
  const merged = wanted.map((one) => mergeDefinition(stored.get(one.name), one));
  const all = new Map([...stored, ...merged.map((one) => [one.name, one] as const)]);
  const isChanged = (one: CollectionDefinition): boolean =>
    JSON.stringify(one) !== JSON.stringify(stored.get(one.name));
  const changed = merged.filter(isChanged).map((one) => changeOf(stored.get(one.name), one));
  return { merged, all: [...all.values()], changed };
}

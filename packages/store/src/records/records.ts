import { CtxError } from '@ctx/core';
import type { CollectionDefinition, WriteOperation } from '../backend/store-backend.ts';
import { adapterCollections } from '../collections/adapter-collections.ts';
import type { StoreHost } from '../store-host.ts';
import { accessCollection, type CollectionAccess } from './collection-access.ts';

/**
 * The collections of those who build on a store, such as adapters. What they write outlives the process where the store does, and
 * moves along with a migration.
 */
export interface RecordService {
  /**
   * A collection of this tenant.
   * @throws `CTX_INVALID_INPUT` for one of ctx's own: these have services that keep their rules.
   */
  collection(definition: CollectionDefinition): CollectionAccess;
  /**
   * All or nothing, in the order given. The operations were made by collections of this service.
   * @throws `CTX_STORE_CONFLICT` where an expected version does not hold.
   */
  write(operations: readonly WriteOperation[]): Promise<void>;
}

const names: ReadonlySet<string> = new Set(adapterCollections.map(({ name }) => name));

function checkName(name: string): void {
  if (names.has(name)) return;
  throw new CtxError('CTX_INVALID_INPUT', `the collection ${name} is not one for adapters`);
}

/** Makes the service. Does nothing until used. */
export function recordService({ backend, tenant }: StoreHost): RecordService {
  return {
    collection: (definition) => {
      checkName(definition.name);
      return accessCollection(backend, definition, tenant);
    },
    write: async (operations) => {
      for (const { collection } of operations) checkName(collection);
      await backend.write(operations);
    },
  };
}

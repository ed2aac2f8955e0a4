import { registryTenant, storeCollections } from '@ctx/store';
import { type StoreBackend, wrapBackend } from '@ctx/store/backend';

/** How far a migration is. */
export interface ReadSoFar {
  readonly records: number;
  /** Records of the source. */
  readonly all: number;
}

/** Records of every tenant and collection. Cost: one tally each. */
async function countAll(backend: StoreBackend): Promise<number> {
  const tenants = [registryTenant];
  const names = { collection: 'tenants', index: 'key', equal: [registryTenant] } as const;
  for await (const { key } of backend.scan({ ...names, part: 'columns' })) {
    tenants.push(key[1] ?? '');
  }
  let all = 0;
  for (const tenant of tenants) {
    for (const { name: collection } of storeCollections) {
      if (collection === 'tenants') continue;
      const [found] = await backend.tally({ collection, index: 'key', equal: [tenant] });
      all += found?.count ?? 0;
    }
  }
  return all;
}

/**
 * A source that tells how much of it was read: what stands in the target already counts, too, so that a migration that goes on shows
 * where it is. Contract: is read as the source is; the whole is counted at the first read of records.
 */
export function countedSource(
  source: StoreBackend,
  onRead: (soFar: ReadSoFar) => void,
): StoreBackend {
  let all: number | undefined;
  let records = 0;
  return wrapBackend(source, {
    scan: async function* (query) {
      // The list of tenants is no part of the work, and columns are read to go around damage.
      if (query.collection === 'tenants' || query.part === 'columns') {
        yield* source.scan(query);
        return;
      }
      all ??= await countAll(source);
      for await (const record of source.scan(query)) {
        records += 1;
        onRead({ records, all });
        yield record;
      }
    },
  });
}

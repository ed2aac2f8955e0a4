import type { CollectionAccess } from '../records/collection-access.ts';
import type { StoreHost } from '../store-host.ts';
import type { ChangeContext } from './save/plan-change.ts';

/** What the calls of the item service work on. */
export interface ItemStore {
  readonly host: StoreHost;
  readonly collection: CollectionAccess;
}

/** This moment, under the store's policy. */
export function contextNow({ host }: ItemStore): ChangeContext {
  return { now: host.clock(), policy: host.importancePolicy };
}

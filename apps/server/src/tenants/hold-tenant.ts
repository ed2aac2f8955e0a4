import { type ContextStore, type OpenStoreOptions, openStore } from '@ctx/store';
import { holdWrites, type StoreBackend, type WriteOperation } from '@ctx/store/backend';
import { type KeyService, type KeyServiceOptions, keyService } from '../keys/key-service.ts';

/** A tenant's store for one piece of work: what is written to it waits until all of it is one write. */
export interface HeldTenant {
  readonly store: ContextStore;
  readonly keys: Pick<KeyService, 'create'>;
  /**
   * Writes all that waits, together with `more`. The store is closed then.
   * @throws `CTX_STORE_CONFLICT` if what the work was made from has changed since: it has to be done again, on a new store
   */
  commit(more: readonly WriteOperation[]): Promise<void>;
}

/**
 * Opens a tenant's store whose writes wait. What is never committed was never done.
 *
 * @param backend open, and of this store alone
 */
export async function holdTenant(
  backend: StoreBackend,
  options: OpenStoreOptions,
  keyOptions: KeyServiceOptions,
): Promise<HeldTenant> {
  const held = holdWrites(backend);
  const store = await openStore(held.backend, options);
  return {
    store,
    keys: keyService(held.backend, keyOptions),
    commit: async (more) => {
      await store.sessions.flush();
      await held.commit(more);
    },
  };
}

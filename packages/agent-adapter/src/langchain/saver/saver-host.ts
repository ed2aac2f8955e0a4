import { type CollectionAccess, type ContextStore, collections } from '@ctx/store';

/** The collections of a saver. */
export interface SaverHost {
  readonly store: ContextStore;
  readonly checkpoints: CollectionAccess;
  readonly parts: CollectionAccess;
  readonly writes: CollectionAccess;
}

/** Does nothing until used. */
export function saverHost(store: ContextStore): SaverHost {
  const { records } = store;
  return {
    store,
    checkpoints: records.collection(collections.graphCheckpoints),
    parts: records.collection(collections.graphParts),
    writes: records.collection(collections.graphWrites),
  };
}

import {
  type CollectionAccess,
  type ContextStore,
  graphCheckpointsCollection,
  graphPartsCollection,
  graphWritesCollection,
} from '@ctx/store';

/** The collections of a saver. */
export interface SaverHost {
  readonly store: ContextStore;
  readonly checkpoints: CollectionAccess;
  readonly parts: CollectionAccess;
  readonly writes: CollectionAccess;
}

/** Cost: none until used. */
export function saverHost(store: ContextStore): SaverHost {
  const { records } = store;
  return {
    store,
    checkpoints: records.collection(graphCheckpointsCollection),
    parts: records.collection(graphPartsCollection),
    writes: records.collection(graphWritesCollection),
  };
}

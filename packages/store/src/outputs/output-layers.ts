import { memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../backend/store-backend.ts';
import { outputsCollection } from '../collections/collections.ts';
import { layerCollections } from '../collections/layer-collections.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import type { StoreHost } from '../store-host.ts';
import type { OutputPolicy } from './output-policy.ts';

/** A place where outputs lie. */
export interface OutputLayer {
  readonly backend: StoreBackend;
  readonly collection: CollectionAccess;
}

/** Where outputs go, and all of them read as one. */
export interface OutputLayers {
  readonly durable: OutputLayer;
  /** Small outputs, until the store is closed; only with `persist: 'large-only'`. */
  readonly volatile: OutputLayer | undefined;
  readonly all: CollectionAccess;
}

/** Opens the layers that the policy asks for. */
export async function openOutputLayers(
  host: StoreHost,
  policy: OutputPolicy,
): Promise<OutputLayers> {
  const collection = accessCollection(host.backend, outputsCollection, host.tenant);
  const durable = { backend: host.backend, collection };
  if (policy.persist === 'all') return { durable, volatile: undefined, all: collection };
  const backend = memoryBackend();
  await backend.open([outputsCollection]);
  const volatile = {
    backend,
    collection: accessCollection(backend, outputsCollection, host.tenant),
  };
  return { durable, volatile, all: layerCollections(collection, volatile.collection) };
}

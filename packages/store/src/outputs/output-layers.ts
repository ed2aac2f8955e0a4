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

/** Outputs in memory, as many as there is room for. */
export interface VolatileLayer extends OutputLayer {
  /** Takes room for an output; false where there is none left, so that it goes to the durable layer. */
  take(bytes: number): Promise<boolean>;
  /** Counts again what is there: something was deleted. */
  recount(): void;
}

/** What an output takes beside its result, bytes: columns, arguments, words. */
const bytesBeside = 1024;

function volatileLayer(layer: OutputLayer, room: number): VolatileLayer {
  let used: number | undefined = 0;
  const count = async (): Promise<number> => {
    const [found] = await layer.collection.tally({ index: 'by_age', sums: ['bytes'] });
    return (found?.sums[0] ?? 0) + bytesBeside * (found?.count ?? 0);
  };
  return {
    ...layer,
    take: async (bytes) => {
      used ??= await count();
      const after = used + bytes + bytesBeside;
      if (after > room) return false;
      used = after;
      return true;
    },
    recount: () => {
      used = undefined;
    },
  };
}

/** Where outputs go, and all of them read as one. */
export interface OutputLayers {
  readonly durable: OutputLayer;
  /** Small outputs, until the store is closed; only with `persist: 'large-only'`. */
  readonly volatile: VolatileLayer | undefined;
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
  const memory = {
    backend,
    collection: accessCollection(backend, outputsCollection, host.tenant),
  };
  const volatile = volatileLayer(memory, policy.cacheTotalBytes);
  return { durable, volatile, all: layerCollections(collection, volatile.collection) };
}

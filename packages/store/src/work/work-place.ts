import type { Clock } from '@ctx/core';
import type { StoreBackend } from '../backend/store-backend.ts';
import { workBatchesCollection } from '../collections/work-collections.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';

/** Who works, and where. */
export interface WorkPlace {
  readonly backend: StoreBackend;
  readonly tenant: string;
  readonly clock: Clock;
  /** Name of this worker; no other has the same. */
  readonly worker: string;
}

/**
 * How long a claim lasts, ms; more than a batch takes. Who is silent for longer loses it, and what it then does of the batch is refused:
 * the batch goes with what it names, in one write, if no other worker claimed it. So clocks that differ cost work, and no harm comes of it.
 */
export const claimMs = 15_000;

/** The batches of a tenant. Costs nothing. */
export function batchesOf({ backend, tenant }: WorkPlace): CollectionAccess {
  return accessCollection(backend, workBatchesCollection, tenant);
}

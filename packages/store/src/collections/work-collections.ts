import type { CollectionDefinition } from '../backend/store-backend.ts';

/**
 * Purges that were begun, and for a while those that ended. The body is the scope: what is to be destroyed; of one that ended it is
 * empty. Null columns are those of stores from before them: such a purge has not been planned.
 */
export const purgesCollection: CollectionDefinition = {
  name: 'purges',
  key: ['tenant', 'purge_id'],
  columns: {
    started_at: { type: 'integer' },
    stage: { type: 'text', nullable: true },
    // Which process plans it, and until when no other does.
    worker: { type: 'text', nullable: true },
    claimed_until: { type: 'integer', nullable: true },
    // What was planned.
    records: { type: 'integer', nullable: true },
    batches: { type: 'integer', nullable: true },
    ended_at: { type: 'integer', nullable: true },
  },
  indexes: [],
  search: [],
};

/**
 * What is left of a work that several processes share: each of these is done by one of them, and goes with what it names. The body
 * says what is to be done; the last key part is its number, padded.
 */
export const workBatchesCollection: CollectionDefinition = {
  name: 'work_batches',
  key: ['tenant', 'work_id', 'sequence'],
  columns: {
    records: { type: 'integer' },
    worker: { type: 'text', nullable: true },
    // 0: no worker has it.
    claimed_until: { type: 'integer' },
  },
  indexes: [{ name: 'by_claim', fields: ['tenant', 'work_id', 'claimed_until'] }],
  search: [],
};

/** Where works have not ended, of all tenants: key [registryTenant, tenant, work]. Every server looks here now and then. */
export const openWorksCollection: CollectionDefinition = {
  name: 'open_works',
  key: ['tenant', 'work_tenant', 'work_id'],
  columns: { kind: { type: 'text' }, began_at: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** What processes that share works keep. */
export const workCollections: readonly CollectionDefinition[] = [
  purgesCollection,
  workBatchesCollection,
  openWorksCollection,
];

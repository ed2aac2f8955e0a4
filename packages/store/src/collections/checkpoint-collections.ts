import type { CollectionDefinition } from '../backend/store-backend.ts';

/**
 * How many checkpoints an agent has had, and its own time. Written with each of them, by whatever replaces or destroys an item, and
 * now and then while the agent acts.
 */
export const checkpointHeadsCollection: CollectionDefinition = {
  name: 'checkpoint_heads',
  key: ['tenant', 'agent_id'],
  columns: {
    last_sequence: { type: 'integer' },
    changed_at: { type: 'integer' },
    // Null in stores from before these columns, and where all time counts.
    active_at: { type: 'integer', nullable: true },
    idle_ms: { type: 'integer', nullable: true },
  },
  indexes: [],
  search: [],
};

/**
 * Restorable moments of an agent; the body holds the session. The last key part is the number within the agent, padded so that key
 * order is their order.
 */
export const checkpointsCollection: CollectionDefinition = {
  name: 'checkpoints',
  key: ['tenant', 'agent_id', 'sequence'],
  columns: {
    checkpoint_id: { type: 'text' },
    created_at: { type: 'integer' },
    trigger: { type: 'text' },
    label: { type: 'text', nullable: true },
    session_id: { type: 'text', nullable: true },
    session_version: { type: 'integer', nullable: true },
    event_sequence: { type: 'integer', nullable: true },
    hot_items: { type: 'integer' },
    hot_tokens: { type: 'integer' },
    warm_items: { type: 'integer' },
    warm_tokens: { type: 'integer' },
    cold_items: { type: 'integer' },
    cold_tokens: { type: 'integer' },
    archived_items: { type: 'integer' },
    archived_tokens: { type: 'integer' },
  },
  indexes: [
    { name: 'by_id', fields: ['tenant', 'checkpoint_id'] },
    { name: 'by_session', fields: ['tenant', 'session_id', 'sequence'], notNull: 'session_id' },
  ],
  search: [],
};

/** The items of a checkpoint, some hundred in each part. */
export const checkpointPartsCollection: CollectionDefinition = {
  name: 'checkpoint_parts',
  key: ['tenant', 'agent_id', 'sequence', 'part'],
  columns: {},
  indexes: [],
  search: [],
};

/** Contents that items no longer have and checkpoints still name. */
export const itemContentsCollection: CollectionDefinition = {
  name: 'item_contents',
  key: ['tenant', 'agent_id', 'item_id', 'fingerprint'],
  columns: {
    // The newest checkpoint that may name it.
    until_sequence: { type: 'integer' },
    kept_at: { type: 'integer' },
    reason: { type: 'text' },
    // Where the item was saved that had it: a purge of the session finds it by that when the item is gone.
    session_id: { type: 'text', nullable: true },
  },
  indexes: [
    { name: 'by_until', fields: ['tenant', 'agent_id', 'until_sequence'] },
    { name: 'by_time', fields: ['tenant', 'agent_id', 'kept_at'] },
  ],
  search: [],
};

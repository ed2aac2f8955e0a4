import type { CollectionDefinition } from '../backend/store-backend.ts';
import { adapterCollections } from './adapter-collections.ts';
import {
  checkpointHeadsCollection,
  checkpointPartsCollection,
  checkpointsCollection,
  itemContentsCollection,
} from './checkpoint-collections.ts';
import { workCollections } from './work-collections.ts';

/** The tenant whose name is reserved: it holds the list of tenants. */
export const registryTenant = '';

/** Which tenants the store holds: key [registryTenant, tenant]. */
export const tenantsCollection: CollectionDefinition = {
  name: 'tenants',
  key: ['tenant', 'tenant_name'],
  columns: { created_at: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** One conversation's state. The body is the session document of seed 003, its field names kept. */
export const sessionsCollection: CollectionDefinition = {
  name: 'sessions',
  key: ['tenant', 'session_id'],
  columns: {
    agent_id: { type: 'text', nullable: true },
    title: { type: 'text', nullable: true },
    source: { type: 'text', nullable: true },
    created_at: { type: 'integer' },
    updated_at: { type: 'integer' },
  },
  indexes: [
    { name: 'by_activity', fields: ['tenant', 'updated_at'] },
    { name: 'by_agent', fields: ['tenant', 'agent_id', 'updated_at'] },
  ],
  search: [],
};

/** The append-only log of a session. The last key part is the sequence number, padded so that key order is log order. */
export const eventsCollection: CollectionDefinition = {
  name: 'events',
  key: ['tenant', 'session_id', 'sequence'],
  columns: {
    type: { type: 'text' },
    at: { type: 'integer' },
    tokens: { type: 'integer' },
  },
  indexes: [
    { name: 'by_type', fields: ['tenant', 'session_id', 'type'], tally: { sums: ['tokens'] } },
  ],
  search: [],
};

/** Number and size of outputs come from an index; those of a tenant from sums that a store may keep by month. */
const outputSums = ['bytes', 'tokens'];

/** What tools returned. The body holds arguments and result; a pointer is made from the columns alone. */
export const outputsCollection: CollectionDefinition = {
  name: 'outputs',
  key: ['tenant', 'session_id', 'output_id'],
  columns: {
    tool_name: { type: 'text' },
    description: { type: 'text' },
    path: { type: 'text', nullable: true },
    query_id: { type: 'text', nullable: true },
    task_id: { type: 'text', nullable: true },
    created_at: { type: 'integer' },
    sequence: { type: 'integer' },
    bytes: { type: 'integer' },
    tokens: { type: 'integer' },
    lines: { type: 'integer' },
    fingerprint: { type: 'text' },
    pinned: { type: 'integer' },
    trimmed_args: { type: 'text' },
    preview: { type: 'text' },
    content_of: { type: 'text', nullable: true },
    content_users: { type: 'integer' },
    searched_characters: { type: 'integer', nullable: true },
    // 0 if a search finds all its words, 1 if not; null in outputs of older stores that were not looked at again.
    partly_searched: { type: 'integer', nullable: true },
  },
  indexes: [
    {
      name: 'by_session',
      fields: ['tenant', 'session_id', 'sequence'],
      tally: { sums: outputSums },
    },
    {
      name: 'by_query',
      fields: ['tenant', 'session_id', 'query_id', 'sequence'],
      notNull: 'query_id',
    },
    {
      name: 'by_task',
      fields: ['tenant', 'session_id', 'task_id', 'sequence'],
      notNull: 'task_id',
    },
    { name: 'by_fingerprint', fields: ['tenant', 'session_id', 'fingerprint', 'sequence'] },
    { name: 'by_id', fields: ['tenant', 'output_id'] },
    {
      name: 'by_age',
      fields: ['tenant', 'created_at'],
      tally: { bucketWidth: 30 * 86_400_000, sums: outputSums },
    },
    { name: 'by_searched', fields: ['tenant', 'partly_searched', 'session_id'] },
  ],
  search: [
    { name: 'args', weight: 4 },
    { name: 'body', weight: 1 },
  ],
};

/** Pieces of content that may enter a prompt. Tiers are ranges of `by_rank`. The body holds the content. */
export const itemsCollection: CollectionDefinition = {
  name: 'items',
  key: ['tenant', 'agent_id', 'item_id'],
  columns: {
    kind: { type: 'text' },
    rank: { type: 'real' },
    access_count: { type: 'integer' },
    created_at: { type: 'integer' },
    last_accessed_at: { type: 'integer' },
    pinned: { type: 'integer' },
    archived: { type: 'integer' },
    fingerprint: { type: 'text' },
    tokens: { type: 'integer' },
    // Null in items of stores from before these columns.
    updated_at: { type: 'integer', nullable: true },
    ranked_at: { type: 'integer', nullable: true },
    finished_at: { type: 'integer', nullable: true },
    weight: { type: 'real', nullable: true },
    source: { type: 'text', nullable: true },
    trust: { type: 'text', nullable: true },
    session_id: { type: 'text', nullable: true },
  },
  indexes: [
    {
      name: 'by_rank',
      fields: ['tenant', 'agent_id', 'archived', 'rank'],
      tally: { bucketWidth: 1 / 64, sums: ['tokens'] },
    },
    { name: 'by_kind', fields: ['tenant', 'agent_id', 'archived', 'kind', 'rank'] },
    { name: 'by_change', fields: ['tenant', 'agent_id', 'updated_at'] },
    { name: 'by_place', fields: ['tenant', 'agent_id', 'ranked_at'] },
  ],
  search: [{ name: 'content', weight: 1 }],
};

/**
 * What compactions of a session did and took out. The last key part is the number within the session, padded so that key order is
 * their order.
 */
export const compactionsCollection: CollectionDefinition = {
  name: 'compactions',
  key: ['tenant', 'session_id', 'sequence'],
  columns: {
    at: { type: 'integer' },
    state: { type: 'text' },
    trigger: { type: 'text' },
    strategy: { type: 'text' },
    tokens_before: { type: 'integer' },
    tokens_after: { type: 'integer' },
  },
  indexes: [],
  search: [],
};

/** What agents know beyond one session. The id is made of what a fact says, so that the same fact is one record. */
export const factsCollection: CollectionDefinition = {
  name: 'facts',
  key: ['tenant', 'agent_id', 'fact_id'],
  columns: {
    source: { type: 'text' },
    trust: { type: 'text' },
    pinned: { type: 'integer' },
    created_at: { type: 'integer' },
    updated_at: { type: 'integer' },
    tokens: { type: 'integer' },
    // Null in facts that nothing can take the place of, and in those of stores from before this column.
    slot: { type: 'text', nullable: true },
  },
  indexes: [
    { name: 'by_time', fields: ['tenant', 'agent_id', 'updated_at'] },
    { name: 'by_slot', fields: ['tenant', 'agent_id', 'slot', 'updated_at'], notNull: 'slot' },
  ],
  search: [{ name: 'text', weight: 1 }],
};

/** Keys of the server, of all tenants: key [registryTenant, key id]. Of a secret only the SHA-256 is kept. */
export const apiKeysCollection: CollectionDefinition = {
  name: 'api_keys',
  key: ['tenant', 'key_id'],
  columns: {
    key_tenant: { type: 'text' },
    secret_hash: { type: 'text' },
    scope: { type: 'text' },
    label: { type: 'text' },
    created_at: { type: 'integer' },
    expires_at: { type: 'integer', nullable: true },
    revoked_at: { type: 'integer', nullable: true },
    last_used_day: { type: 'text', nullable: true },
    requests_per_minute: { type: 'integer', nullable: true },
  },
  indexes: [{ name: 'by_tenant', fields: ['tenant', 'key_tenant', 'created_at'] }],
  search: [],
};

/** What changed in a store, in order, for those who watch. The last key part is the sequence number, padded. Holds no content. */
export const liveEventsCollection: CollectionDefinition = {
  name: 'live_events',
  key: ['tenant', 'sequence'],
  columns: {
    type: { type: 'text' },
    at: { type: 'integer' },
    agent_id: { type: 'text', nullable: true },
    session_id: { type: 'text', nullable: true },
  },
  indexes: [],
  search: [],
};

/** Answers that are kept for a day, so that a request that is sent twice works once. The body is the answer. */
export const idempotencyCollection: CollectionDefinition = {
  name: 'idempotency',
  key: ['tenant', 'key_id', 'idempotency_key'],
  columns: {
    created_at: { type: 'integer' },
    request_hash: { type: 'text' },
    status: { type: 'integer', nullable: true },
  },
  indexes: [{ name: 'by_age', fields: ['tenant', 'created_at'] }],
  search: [],
};

/** All collections of a ctx store. */
export const storeCollections: readonly CollectionDefinition[] = [
  tenantsCollection,
  sessionsCollection,
  eventsCollection,
  outputsCollection,
  itemsCollection,
  compactionsCollection,
  factsCollection,
  checkpointHeadsCollection,
  checkpointsCollection,
  checkpointPartsCollection,
  itemContentsCollection,
  apiKeysCollection,
  liveEventsCollection,
  idempotencyCollection,
  ...workCollections,
  ...adapterCollections,
];

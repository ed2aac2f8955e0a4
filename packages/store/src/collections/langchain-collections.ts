import type { CollectionDefinition } from '../backend/store-backend.ts';

/** Checkpoints of LangGraph's threads. The body says which parts make up each value of the state; ids of checkpoints sort by time. */
export const graphCheckpointsCollection: CollectionDefinition = {
  name: 'graph_checkpoints',
  key: ['tenant', 'thread_id', 'namespace', 'checkpoint_id'],
  columns: {
    parent_id: { type: 'text', nullable: true },
    created_at: { type: 'integer' },
    // Counts what rests on the record, so that it is not removed meanwhile.
    children: { type: 'integer' },
  },
  indexes: [
    { name: 'by_id', fields: ['tenant', 'checkpoint_id'] },
    { name: 'by_thread', fields: ['tenant', 'thread_id', 'checkpoint_id'] },
  ],
  search: [],
};

/** Parts of values of a thread's state, each once. The last key part is the fingerprint of what it holds. */
export const graphPartsCollection: CollectionDefinition = {
  name: 'graph_parts',
  key: ['tenant', 'thread_id', 'namespace', 'channel', 'fingerprint'],
  columns: {},
  indexes: [],
  search: [],
};

/** What tasks of a checkpoint wrote. The last key part is the number of the write within its task. */
export const graphWritesCollection: CollectionDefinition = {
  name: 'graph_writes',
  key: ['tenant', 'thread_id', 'namespace', 'checkpoint_id', 'task_id', 'number'],
  columns: {
    task_path: { type: 'text' },
    position: { type: 'integer' },
    channel: { type: 'text' },
  },
  indexes: [
    {
      name: 'by_path',
      fields: [
        'tenant',
        'thread_id',
        'namespace',
        'checkpoint_id',
        'task_path',
        'task_id',
        'position',
      ],
    },
  ],
  search: [],
};

/** What agents of LangGraph keep across threads. A namespace is its labels, each with a colon after it. */
export const graphItemsCollection: CollectionDefinition = {
  name: 'graph_items',
  key: ['tenant', 'namespace', 'item_key'],
  columns: {
    created_at: { type: 'integer' },
    updated_at: { type: 'integer' },
    lifetime: { type: 'integer', nullable: true },
    expires_at: { type: 'integer', nullable: true },
    // Null in items of stores from before they were searched: 1 says that a search finds them.
    searched: { type: 'integer', nullable: true },
  },
  indexes: [
    { name: 'by_expiry', fields: ['tenant', 'expires_at'] },
    { name: 'by_searched', fields: ['tenant', 'searched'] },
  ],
  search: [
    { name: 'text', weight: 1 },
    // Each member as one word, for filters: they must not count beside the text.
    { name: 'members', weight: 0.001 },
  ],
};

/** Messages of LangChain's chats. The last key part is the number of the message, padded so that key order is their order. */
export const chatMessagesCollection: CollectionDefinition = {
  name: 'chat_messages',
  key: ['tenant', 'session_id', 'sequence'],
  columns: { at: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** Bytes by name, as LangChain's caches keep them. The body holds them in base64. */
export const namedBytesCollection: CollectionDefinition = {
  name: 'named_bytes',
  key: ['tenant', 'space', 'name'],
  columns: { at: { type: 'integer' }, bytes: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** What the adapters for LangChain and LangGraph keep. */
export const langchainCollections: readonly CollectionDefinition[] = [
  graphCheckpointsCollection,
  graphPartsCollection,
  graphWritesCollection,
  graphItemsCollection,
  chatMessagesCollection,
  namedBytesCollection,
];

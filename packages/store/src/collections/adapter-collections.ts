import type { CollectionDefinition } from '../backend/store-backend.ts';
import { langchainCollections } from './langchain-collections.ts';

/** How a space of memory files stands: each change of it changes this record, so that changes follow one another. */
export const memorySpacesCollection: CollectionDefinition = {
  name: 'memory_spaces',
  key: ['tenant', 'space'],
  columns: {
    files: { type: 'integer' },
    bytes: { type: 'integer' },
    changes: { type: 'integer' },
    changed_at: { type: 'integer' },
  },
  indexes: [],
  search: [],
};

/** Files that a model keeps in mind. The body holds the text; folders are the beginnings of paths. */
export const memoryFilesCollection: CollectionDefinition = {
  name: 'memory_files',
  key: ['tenant', 'space', 'path'],
  columns: {
    bytes: { type: 'integer' },
    created_at: { type: 'integer' },
    updated_at: { type: 'integer' },
  },
  indexes: [],
  search: [],
};

/**
 * What each change of a space took away: the body holds the text before it. The last key part is the number of the change, padded so
 * that key order is their order.
 */
export const memoryChangesCollection: CollectionDefinition = {
  name: 'memory_changes',
  key: ['tenant', 'space', 'sequence'],
  columns: {
    path: { type: 'text' },
    command: { type: 'text' },
    at: { type: 'integer' },
  },
  indexes: [{ name: 'by_path', fields: ['tenant', 'space', 'path'] }],
  search: [],
};

/** How an agent's history stands: each change of it changes this record, so that changes follow one another. */
export const agentHistoriesCollection: CollectionDefinition = {
  name: 'agent_histories',
  key: ['tenant', 'session_id'],
  columns: {
    items: { type: 'integer' },
    next_sequence: { type: 'integer' },
    changed_at: { type: 'integer' },
  },
  indexes: [],
  search: [],
};

/** The items of a history. The last key part is the item's number, padded so that key order is their order. */
export const agentHistoryItemsCollection: CollectionDefinition = {
  name: 'agent_history_items',
  key: ['tenant', 'session_id', 'sequence'],
  columns: { at: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** Operations that a history has taken: what comes again under its name changes nothing. The key holds the name's SHA-256. */
export const agentHistoryOperationsCollection: CollectionDefinition = {
  name: 'agent_history_operations',
  key: ['tenant', 'session_id', 'operation_hash'],
  columns: { at: { type: 'integer' }, transaction_hash: { type: 'text' } },
  indexes: [],
  search: [],
};

/**
 * Calls of tools that a hook has recorded: what comes again is not stored again. The last key part is the SHA-256 of the call's id and
 * its agent's.
 */
export const hookCallsCollection: CollectionDefinition = {
  name: 'hook_calls',
  key: ['tenant', 'session_id', 'call_hash'],
  columns: {
    output_id: { type: 'text' },
    at: { type: 'integer' },
    offloaded: { type: 'integer' },
    saved_tokens: { type: 'integer' },
  },
  indexes: [],
  search: [],
};

/**
 * What the model and ctx said to each other during one answer of a host's client, which the host's history does not hold. The last key
 * part is the number of messages before that answer, padded so that key order is their order.
 */
export const hiddenExchangesCollection: CollectionDefinition = {
  name: 'hidden_exchanges',
  key: ['tenant', 'session_id', 'list', 'place'],
  columns: { at: { type: 'integer' } },
  indexes: [],
  search: [],
};

/** What adapters for agents keep. */
export const adapterCollections: readonly CollectionDefinition[] = [
  memorySpacesCollection,
  memoryFilesCollection,
  memoryChangesCollection,
  agentHistoriesCollection,
  agentHistoryItemsCollection,
  agentHistoryOperationsCollection,
  hookCallsCollection,
  hiddenExchangesCollection,
  ...langchainCollections,
];

import {
  agentHistoriesCollection,
  agentHistoryItemsCollection,
  agentHistoryOperationsCollection,
  hiddenExchangesCollection,
  hookCallsCollection,
  memoryChangesCollection,
  memoryFilesCollection,
  memorySpacesCollection,
} from './adapter-collections.ts';
import {
  apiKeysCollection,
  idempotencyCollection,
  itemsCollection,
  liveEventsCollection,
  outputsCollection,
  sessionsCollection,
  tenantsCollection,
} from './collections.ts';
import {
  chatMessagesCollection,
  graphCheckpointsCollection,
  graphItemsCollection,
  graphPartsCollection,
  graphWritesCollection,
  namedBytesCollection,
} from './langchain-collections.ts';

/** The definitions of a store's collections that the server and the adapters read and write themselves. */
export const collections = {
  apiKeys: apiKeysCollection,
  idempotency: idempotencyCollection,
  items: itemsCollection,
  liveEvents: liveEventsCollection,
  outputs: outputsCollection,
  sessions: sessionsCollection,
  tenants: tenantsCollection,
  agentHistories: agentHistoriesCollection,
  agentHistoryItems: agentHistoryItemsCollection,
  agentHistoryOperations: agentHistoryOperationsCollection,
  hiddenExchanges: hiddenExchangesCollection,
  hookCalls: hookCallsCollection,
  memoryChanges: memoryChangesCollection,
  memoryFiles: memoryFilesCollection,
  memorySpaces: memorySpacesCollection,
  chatMessages: chatMessagesCollection,
  graphCheckpoints: graphCheckpointsCollection,
  graphItems: graphItemsCollection,
  graphParts: graphPartsCollection,
  graphWrites: graphWritesCollection,
  namedBytes: namedBytesCollection,
} as const;

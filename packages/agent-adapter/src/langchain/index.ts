export {
  type ContextMiddleware,
  contextMiddleware,
  type ContextMiddlewareOptions,
  type ManagerOfThread,
} from './context-middleware.ts';
export { contextTools, type MakeTool, type ToolFieldsShape } from './context-tools.ts';
export {
  type ByteStoreExtras,
  createByteStore,
  type CreateByteStoreOptions,
} from './history/create-byte-store.ts';
export {
  type ChatHistoryExtras,
  createChatHistory,
  type CreateChatHistoryOptions,
} from './history/create-chat-history.ts';
export {
  createStore,
  type CreateStoreOptions,
  type ItemStoreExtras,
  type PutItemOptions,
} from './items/create-store.ts';
export type { EmbeddingsShape, OperationShape } from './items/host-types.ts';
export type { ItemLifetime } from './items/item-records.ts';
export {
  createSaver,
  type CreateSaverOptions,
  type SaverExtras,
  type SaverMethods,
} from './saver/create-saver.ts';
export type { SerializerShape } from './saver/host-types.ts';
export type { PruneOptions } from './saver/plan-prune.ts';
export type { PruneReceipt } from './saver/prune-thread.ts';

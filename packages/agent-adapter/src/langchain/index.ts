export {
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
  type ManagerOfThread,
} from './context-middleware.ts';
export { contextTools, type MakeTool } from './context-tools.ts';
export { createByteStore } from './history/create-byte-store.ts';
export { createChatHistory } from './history/create-chat-history.ts';
export { createStore } from './items/create-store.ts';
export type { EmbeddingsShape, OperationShape } from './items/host-types.ts';
export { createSaver, type SaverMethods } from './saver/create-saver.ts';
export type { SerializerShape } from './saver/host-types.ts';

export { contextMiddleware } from './context-middleware.ts';
export { contextTools } from './context-tools.ts';
export { createByteStore } from './history/create-byte-store.ts';
export { createChatHistory } from './history/create-chat-history.ts';
export { createStore } from './items/create-store.ts';
export { createSaver } from './saver/create-saver.ts';
export { withContext } from './with-context.ts';

export { contextTools } from './context-tools.ts';
export { createMessage } from './create-message.ts';
export { openMemory } from './memory/open-memory.ts';
export { drive } from './run-tools.ts';
export { streamMessage } from './stream-message.ts';
export { withContext } from './with-context.ts';
export { wrapTools } from './wrap-tools.ts';

export { contextTools } from './context-tools.ts';
export { createMessage } from './create-message.ts';
export { exportMemory, importMemory } from './memory/exchange-folder.ts';
export { memoryHandlers, openMemory } from './memory/open-memory.ts';
export { observeAnswer } from './observe-answer.ts';
export { prepareParams } from './prepare-params.ts';
export { drive } from './run-tools.ts';
export { streamMessage } from './stream-message.ts';
export { wrapTools } from './wrap-tools.ts';

export { automaticCompaction } from './compaction/automatic-compaction.ts';
export { undoNewestCompaction } from './compaction/undo-newest-compaction.ts';
export type { ContextManager } from './context-manager/context-manager.ts';
export { createContextManager } from './context-manager/create-context-manager.ts';
export { keyOfMessage } from './context-manager/history/compare-messages.ts';
export { prepareRequest } from './prepare-request.ts';
export { callLine } from './read-back/call-line.ts';
export { readBackTools } from './read-back/read-back-tools.ts';

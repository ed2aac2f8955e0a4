export type { CacheDiagnosis } from './cache-diagnosis.ts';
export { contextTools, type ToolFieldsShape } from './context-tools.ts';
export {
  createMessage,
  type CreatedMessage,
  type RequestReceipt,
} from './create-message.ts';
export { drive, type RunnerParams, type RunnerShape } from './run-tools.ts';
export type { AnswerShape, MessageShape, ParamsShape, UsageShape } from './host-types.ts';
export { exportMemory, importMemory, type MemoryExchange } from './memory/exchange-folder.ts';
export type { InsertCommand, MemoryHandlers, ViewCommand } from './memory/memory-handlers.ts';
export { defaultMemoryPolicy, type MemoryPolicy } from './memory/memory-policy.ts';
export type { MemoryEntry, MemoryUse } from './memory/memory-files.ts';
export {
  type Memory,
  memoryHandlers,
  type MemoryOptions,
  type MemoryVersion,
  openMemory,
} from './memory/open-memory.ts';
export { observeAnswer, type ObservedAnswer } from './observe-answer.ts';
export { type PreparedParams, prepareParams, type PrepareParamsOptions } from './prepare-params.ts';
export type { AppliedEdit } from './server-edits.ts';
export { streamMessage, type StreamEventShape } from './stream-message.ts';
export { wrapTools } from './wrap-tools.ts';

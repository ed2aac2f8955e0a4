export { callLine } from './read-back/call-line.ts';
export {
  type AutomaticCompaction,
  automaticCompaction,
  type CompactedRequest,
} from './compaction/automatic-compaction.ts';
export type { AnyWindow } from './compaction/compact-window.ts';
export type {
  AutomaticCompactionOptions,
  CompactionCall,
} from './compaction/compaction-options.ts';
export type {
  AutomaticCompactionReceipt,
  CompactionFailure,
  CompactionReason,
  SummaryOrigin,
  WindowCompactionOutcome,
} from './compaction/compaction-outcome.ts';
export { defaultSummarySizes, type WindowSummarySizes } from './compaction/summary-sizes.ts';
export {
  undoWindowCompaction,
  type UndoWindowReceipt,
} from './compaction/undo-window-compaction.ts';
export type {
  CallOptions,
  ContextManager,
  RelevanceBudget,
  ReportedRequest,
} from './context-manager/context-manager.ts';
export { createContextManager } from './context-manager/create-context-manager.ts';
export type { Degradation } from './context-manager/request/degradation.ts';
export { hashQuery } from './context-manager/outputs/hash-query.ts';
export type { EventHub, ManagerEvents } from './context-manager/manager-events.ts';
export type { ManagerItems } from './context-manager/memory/manager-items.ts';
export type { ManagerSession } from './context-manager/manager-session.ts';
export type { ContextManagerOptions } from './context-manager/manager-settings.ts';
export type {
  Prepared,
  PrepareReceipt,
  RequestSettings,
} from './context-manager/request/prepared.ts';
export type { RecordCallOptions, RecordedContent } from './context-manager/outputs/record-call.ts';
export type {
  ManagerCheckpoint,
  ManagerFork,
  ManagerRestored,
} from './context-manager/checkpoints/manager-checkpoints.ts';
export { keyOfMessage } from './context-manager/history/compare-messages.ts';
export type { StoredOutputs } from './context-manager/outputs/stored-outputs.ts';
export { observeUsage } from './observe-usage.ts';
export { type PreparedRequest, type PrepareOptions, prepareRequest } from './prepare-request.ts';
export {
  type ReadBackOptions,
  type ReadBackTool,
  readBackTools,
} from './read-back/read-back-tools.ts';
export { maxAnswerCharacters, type ReadOutputArgs } from './read-back/read-output-args.ts';
export { readOutput } from './read-back/read-output.ts';
export { searchOutputsText, type SearchOutputsArgs } from './read-back/search-outputs.ts';

export { callLine } from './call-line.ts';
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
export type { Degradation } from './context-manager/degradation.ts';
export { hashQuery } from './context-manager/hash-query.ts';
export type { EventHub, ManagerEvents } from './context-manager/manager-events.ts';
export type { ManagerItems } from './context-manager/manager-items.ts';
export type { ManagerSession } from './context-manager/manager-session.ts';
export type { ContextManagerOptions } from './context-manager/manager-settings.ts';
export type { Prepared, PrepareReceipt, RequestSettings } from './context-manager/prepared.ts';
export type { RecordCallOptions, RecordedContent } from './context-manager/record-call.ts';
export type {
  ManagerCheckpoint,
  ManagerFork,
  ManagerRestored,
} from './context-manager/restore-moment.ts';
export { keyOfMessage } from './context-manager/same-message.ts';
export type { StoredOutputs } from './context-manager/stored-outputs.ts';
export { observeUsage } from './observe-usage.ts';
export { type PreparedRequest, type PrepareOptions, prepareRequest } from './prepare-request.ts';
export { type ReadBackOptions, type ReadBackTool, readBackTools } from './read-back.ts';
export { maxAnswerCharacters, type ReadOutputArgs } from './read-output-args.ts';
export { readOutput } from './read-output.ts';
export { searchOutputs, type SearchOutputsArgs } from './search-outputs.ts';

export { type AppliedRange, applyRange, type ApplyRangeOptions } from './classic/apply-range.ts';
export { applyBlockEdits, type BlockEdit } from './classic/block-edit.ts';
export {
  contextLimit,
  unknownWindowTokens,
  usableWindow,
  type WindowSize,
} from './classic/context-limit.ts';
export { type CutPoint, cutPointsOf } from './classic/cut-points.ts';
export {
  type DeletedRange,
  deletedRange,
  isDeleted,
  sizeOfRange,
} from './classic/deleted-range.ts';
export {
  defaultDuplicateReadPolicy,
  type DuplicateRead,
  type DuplicateReadOptions,
  type DuplicateReadPlan,
  type DuplicateReadPolicy,
  planDuplicateReads,
} from './classic/duplicate-reads.ts';
export { parseEdits, serialiseEdits } from './classic/edit-history-text.ts';
export {
  applyEdits,
  type EditHistory,
  type EditMoment,
  editsOfBlock,
  emptyEditHistory,
  recordEdits,
  rollBackEdits,
  type TimedEdit,
} from './classic/edit-history.ts';
export {
  type FileCopy,
  type FindCopiesOptions,
  findFileCopies,
  type TextSpan,
} from './classic/file-copies.ts';
export {
  defaultFileTools,
  type FileTool,
  type FileToolTable,
  type FileUse,
  type LinesForm,
  type PathForm,
} from './classic/file-tools.ts';
export { fileUseOf, type NamedCall } from './classic/file-use.ts';
export { type Coverage, createCoverage, type LineRange, wholeFile } from './classic/line-range.ts';
export {
  defaultSavingPolicy,
  type EditMetrics,
  type EditSize,
  measureEdits,
  savesEnough,
  type SavingPolicy,
  type SizeChange,
} from './classic/metrics.ts';
export { normalPath } from './classic/normal-path.ts';
export {
  duplicateReadNotice,
  noticeStart,
  truncationNotice,
  withNotice,
} from './classic/notices.ts';
export { frontOf, planRange } from './classic/plan-range.ts';
export {
  type CompactionOptions,
  compactionStrategy,
  compactionTrigger,
  type CompactionVerdict,
  judgeUsage,
  type ReportedUsage,
  shouldCompact,
  totalUsage,
  type UsageSample,
} from './classic/should-compact.ts';
export { classicStrategies, type ClassicStrategy, removedCount } from './classic/strategies.ts';
export {
  applyTaskOffload,
  defaultTaskPolicy,
  planTaskOffload,
  type TaskOffload,
  type TaskOptions,
  type TaskPolicy,
} from './classic/task-text.ts';
export { fitMessages, type FittedMessages, type FittedPart } from './fit/fit-messages.ts';
export type { AddressOf, FitMessagesOptions } from './fit/fit-options.ts';
export { type PlacedMessage, placeMessages } from './fit/place-messages.ts';
export { fileReadTools, isFileRead } from './insert/file-tools.ts';
export {
  checkOffloadPolicy,
  defaultOffloadPolicy,
  type OffloadPolicy,
} from './insert/offload-policy.ts';
export { offloadText, type OffloadTextInput } from './insert/offload-text.ts';
export { oneLine } from './insert/one-line.ts';
export { outputIdOf, pointerUri } from './insert/pointer-uri.ts';
export {
  type RecordedOutput,
  type RecordOptions,
  recordToolOutput,
} from './insert/record-tool-output.ts';
export {
  printOf,
  type RecordedCall,
  recordedCalls,
  type RecordedCalls,
} from './insert/recorded-calls.ts';
export { isSameResult, resultValueOf } from './insert/result-value.ts';
export { type Overflow, overflowOf } from './overflow/overflow.ts';
export { originsOf } from './window-session/fork-session.ts';
export { messagesText } from './window-session/messages-text.ts';
export { openSessionWindow } from './window-session/open-session-window.ts';
export { outputOfAddress } from './window-session/output-of-address.ts';
export { printOfGiven, readGivenPrints } from './window-session/read-given.ts';
export { type HistoryMark, readHistory } from './window-session/read-history.ts';
export type { WindowCheckpoint } from './window-session/read-log.ts';
export {
  type MessageRange,
  messageRangesOf,
  type NumberedMessage,
  readAddress,
  readMessages,
} from './window-session/read-messages.ts';
export { readRequests } from './window-session/read-requests.ts';
export { readTimeline, type TimelineRequest } from './window-session/read-timeline.ts';
export {
  readView,
  type SegmentKind,
  type SessionView,
  type ShownSegment,
} from './window-session/read-view.ts';
export {
  type CheckpointFork,
  type CheckpointRestored,
  type CheckpointWindowOptions,
  forkCheckpoint,
  restoreCheckpoint,
} from './window-session/restore-checkpoint.ts';
export type { StoredResult, StoredResults } from './window-session/save-results.ts';
export type {
  InsertOptions,
  LoggedCompaction,
  RewindReceipt,
  SessionRequest,
  SessionWindow,
  SessionWindowOptions,
} from './window-session/session-window.ts';
export type { CacheMiss, CacheMissCause } from './window/cache-report.ts';
export type {
  Compaction,
  CompactionPlan,
  CompactionReceipt,
  CompactionSize,
} from './window/compact.ts';
export { messageCounter, plainPreview } from './window/default-host.ts';
export { explainWindow, type SegmentReason } from './window/explain.ts';
export { normaliseText } from './window/normalise.ts';
export type { ObservedUsage, UsageReport } from './window/observe.ts';
export {
  type CompactionMeasures,
  type CompactionMoment,
  compactionRegretOf,
  planCompactionMoment,
} from './window/plan-compaction-moment.ts';
export type { FlushCause } from './window/plan-flush.ts';
export type { PreviewText } from './window/plan-insert.ts';
export type { RequestParts } from './window/request-parts.ts';
export type { EditCause, EditForm, InsertForm, SegmentEdit } from './window/segment.ts';
export { ledgerLine, resultStub } from './window/stub.ts';
export { resultAsGiven } from './window/thin-result.ts';
export { type CallUse, type DescribeCall, describeCall } from './window/tool-use.ts';
export type {
  Flush,
  ReceivedEvent,
  RequestedEvent,
  SegmentRecord,
  WindowEvent,
} from './window/window-event.ts';
export type { CutRange, Epoch } from './window/window-log.ts';
export {
  type LeavingForm,
  limitTokensOf,
  type WindowMode,
  windowModes,
  type WindowPolicy,
  windowPolicy,
} from './window/window-policy.ts';
export type { WindowHost, WindowPrice } from './window/window-state.ts';
export {
  foldWindow,
  openWindow,
  type Window,
  type WindowOptions,
  type WindowRequest,
  type WindowSizes,
} from './window/window.ts';

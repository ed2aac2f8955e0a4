export {
  type AppliedRange,
  applyRange,
  type ApplyRangeOptions,
} from './classic/range/apply-range.ts';
export { applyBlockEdits, type BlockEdit } from './classic/edits/block-edit.ts';
export {
  contextLimit,
  unknownWindowTokens,
  usableWindow,
  type WindowSize,
} from './classic/context-limit.ts';
export { type CutPoint, cutPointsOf } from './classic/range/cut-points.ts';
export {
  type DeletedRange,
  deletedRange,
  isDeleted,
  sizeOfRange,
} from './classic/range/deleted-range.ts';
export {
  defaultDuplicateReadPolicy,
  type DuplicateRead,
  type DuplicateReadOptions,
  type DuplicateReadPlan,
  type DuplicateReadPolicy,
  planDuplicateReads,
} from './classic/files/duplicate-reads.ts';
export { parseEdits, serialiseEdits } from './classic/edits/edit-history-text.ts';
export {
  applyEdits,
  type EditHistory,
  type EditMoment,
  editsOfBlock,
  emptyEditHistory,
  recordEdits,
  rollBackEdits,
  type TimedEdit,
} from './classic/edits/edit-history.ts';
export {
  type FileCopy,
  type FindCopiesOptions,
  findFileCopies,
  type TextSpan,
} from './classic/files/file-copies.ts';
export {
  defaultFileTools,
  type FileTool,
  type FileToolTable,
  type FileUse,
  type LinesForm,
  type PathForm,
} from './classic/files/file-tools.ts';
export { fileUseOf, type NamedCall } from './classic/files/file-use.ts';
export {
  type LineCoverage,
  createLineCoverage,
  type LineRange,
  wholeFile,
} from './classic/files/line-range.ts';
export {
  defaultSavingPolicy,
  type EditMetrics,
  type EditSize,
  measureEdits,
  savesEnough,
  type SavingPolicy,
  type SizeChange,
} from './classic/edits/metrics.ts';
export { normalPath } from './classic/files/normal-path.ts';
export {
  duplicateReadNotice,
  noticeStart,
  truncationNotice,
  withNotice,
} from './classic/notices.ts';
export { frontOf, planRange } from './classic/range/plan-range.ts';
export {
  type CompactionOptions,
  compactionStrategy,
  compactionTrigger,
  type UsageVerdict,
  judgeUsage,
  type ReportedUsage,
  shouldCompact,
  tokensOfUsage,
  type UsageSample,
} from './classic/should-compact.ts';
export { classicStrategies, type ClassicStrategy, removedCount } from './classic/strategies.ts';
export {
  applyTaskOffload,
  defaultTaskTextPolicy,
  planTaskOffload,
  type TaskOffload,
  type TaskOptions,
  type TaskTextPolicy,
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
export { originsOf } from './window-session/log/fork-session.ts';
export { messagesText } from './window-session/view/messages-text.ts';
export { openSessionWindow } from './window-session/open-session-window.ts';
export { outputOfAddress } from './window-session/view/output-of-address.ts';
export { hashOfGiven, readGivenHashes } from './window-session/view/read-given-hashes.ts';
export { type HistoryMark, readHistory } from './window-session/view/read-history.ts';
export type { WindowCheckpoint } from './window-session/log/read-log.ts';
export {
  type MessageRange,
  messageRangesOf,
  type NumberedMessage,
  readAddress,
  readMessages,
} from './window-session/view/read-messages.ts';
export { readRequests } from './window-session/view/read-requests.ts';
export { readTimeline, type TimelineRequest } from './window-session/view/read-timeline.ts';
export {
  readView,
  type SegmentKind,
  type SessionView,
  type ShownSegment,
} from './window-session/view/read-view.ts';
export {
  type CheckpointFork,
  type CheckpointRestored,
  type CheckpointWindowOptions,
  forkCheckpoint,
  restoreCheckpoint,
} from './window-session/restore-checkpoint.ts';
export type { RecordedResult, RecordedResults } from './window-session/log/save-results.ts';
export type {
  InsertOptions,
  LoggedCompaction,
  RewindReceipt,
  SessionRequest,
  SessionWindow,
  SessionWindowOptions,
} from './window-session/session-window.ts';
export type { CacheMiss, CacheMissCause } from './window/observe/cache-report.ts';
export type {
  WindowCompaction,
  WindowCompactionPlan,
  WindowCompactionReceipt,
  CompactionSize,
} from './window/compact/compact-window.ts';
export { addressPreview, plainPreview } from './window/insert/plain-preview.ts';
export { explainWindow, type SegmentReason } from './window/explain.ts';
export { normaliseText } from './window/insert/normalise.ts';
export type { ObservedUsage, UsageReport } from './window/observe/draft-observation.ts';
export {
  type CompactionMeasures,
  type CompactionMoment,
  compactionRegretOf,
  planCompactionMoment,
} from './window/compact/plan-compaction-moment.ts';
export type { FlushCause } from './window/leave/plan-flush.ts';
export type { PreviewText } from './window/insert/plan-insert.ts';
export type { RequestParts } from './window/log/request-parts.ts';
export type { EditCause, EditForm, InsertForm, SegmentEdit } from './window/log/segment.ts';
export { ledgerLine, resultStub } from './window/leave/stub.ts';
export { resultAsGiven } from './window/insert/thin-result.ts';
export { type CallUse, type DescribeCall, describeCall } from './window/log/tool-use.ts';
export type {
  Flush,
  ReceivedEvent,
  RequestedEvent,
  SegmentRecord,
  WindowEvent,
} from './window/window-event.ts';
export type { CutRange, Epoch } from './window/log/window-log.ts';
export {
  type LeavingForm,
  limitTokensOf,
  type WindowMode,
  windowModes,
  type WindowPolicy,
  windowPolicy,
  type WindowTails,
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
export { conversationMeter, type RequestFrame } from './fit/count-conversation.ts';
export {
  type FittedConversation,
  fitConversation,
  type FitPolicy,
  type FitView,
} from './fit/fit-conversation.ts';
export { conversationTool, isKeptByFit } from './fit/keep-conversation.ts';

export { describeCall } from './calls/describe-call.ts';
export { editNeedsOf, type Overwrite } from './calls/edit-needs.ts';
export { createFileNames, type FileNames } from './calls/file-names.ts';
export { contextLimit } from './classic/context-limit.ts';
export { applyEdits, recordEdits, rollBackEdits } from './classic/edits/edit-history.ts';
export { parseEdits, serialiseEdits } from './classic/edits/edit-history-text.ts';
export { measureEdits, savesEnough } from './classic/edits/metrics.ts';
export { planDuplicateReads } from './classic/files/duplicate-reads.ts';
export { defaultFileTools } from './classic/files/file-tools.ts';
export { truncationNotice } from './classic/notices.ts';
export { applyRange } from './classic/range/apply-range.ts';
export { cutPointsOf } from './classic/range/cut-points.ts';
export type { DeletedRange } from './classic/range/deleted-range.ts';
export { planRange } from './classic/range/plan-range.ts';
export { compactionStrategy, judgeUsage, shouldCompact } from './classic/should-compact.ts';
export { applyTaskOffload, planTaskOffload } from './classic/task-text.ts';
export { conversationMeter, type RequestFrame } from './fit/count-conversation.ts';
export {
  type FitPolicy,
  type FittedConversation,
  type FitView,
  fitConversation,
} from './fit/fit-conversation.ts';
export { type FittedPart, fitMessages } from './fit/fit-messages.ts';
export { searchDistinct } from './fit/search-distinct.ts';
export {
  checkOffloadPolicy,
  defaultOffloadPolicy,
  type OffloadPolicy,
} from './insert/offload-policy.ts';
export { offloadText, shortenText } from './insert/offload-text.ts';
export { shellReadHint } from './insert/read-hints.ts';
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
  type RecordedCalls,
  recordedCalls,
} from './insert/recorded-calls.ts';
export { isSameResult, resultValueOf } from './insert/result-value.ts';
export type { Overflow } from './overflow/overflow.ts';
export type {
  WindowCompactionPlan,
  WindowCompactionReceipt,
} from './window/compact/compact-window.ts';
export type { CompactionMoment } from './window/compact/plan-compaction-moment.ts';
export type { SegmentReason } from './window/explain.ts';
export { previewTexts } from './window/insert/plain-preview.ts';
export type { PreviewText } from './window/insert/plan-insert.ts';
export { resultAsGiven } from './window/insert/thin-result.ts';
export { ledgerLine, resultStub } from './window/leave/stub.ts';
export type { RequestParts } from './window/log/request-parts.ts';
export type { CacheMiss } from './window/observe/cache-report.ts';
export type { ObservedUsage, UsageReport } from './window/observe/draft-observation.ts';
export {
  foldWindow,
  openWindow,
  type Window,
  type WindowOptions,
  type WindowRequest,
  type WindowSizes,
} from './window/window.ts';
export type { Flush, WindowEvent } from './window/window-event.ts';
export {
  limitTokensOf,
  type WindowMode,
  type WindowPolicy,
  windowModes,
  windowPolicy,
} from './window/window-policy.ts';
export { originsOf } from './window-session/log/fork-session.ts';
export type { WindowCheckpoint } from './window-session/log/read-log.ts';
export type { RecordedResult, RecordedResults } from './window-session/log/save-results.ts';
export { openSessionWindow } from './window-session/open-session-window.ts';
export {
  type CheckpointRestored,
  type CheckpointWindowOptions,
  forkCheckpoint,
  restoreCheckpoint,
} from './window-session/restore-checkpoint.ts';
export type {
  LoggedCompaction,
  RewindReceipt,
  SessionRequest,
  SessionWindow,
} from './window-session/session-window.ts';
export { messagesText } from './window-session/view/messages-text.ts';
export { outputOfAddress } from './window-session/view/output-of-address.ts';
export { hashOfGiven, readGivenHashes } from './window-session/view/read-given-hashes.ts';
export { type HistoryMark, readHistory } from './window-session/view/read-history.ts';
export { readAddress, readMessages } from './window-session/view/read-messages.ts';
export { readRequests } from './window-session/view/read-requests.ts';
export { readTimeline, type TimelineRequest } from './window-session/view/read-timeline.ts';
export { readView, type SegmentKind, type ShownSegment } from './window-session/view/read-view.ts';

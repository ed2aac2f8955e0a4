export { describeCall } from './calls/describe-call.ts';
export { editNeedsOf } from './calls/edit-needs.ts';
export { createFileNames } from './calls/file-names.ts';
export { classicContext } from './classic/classic-context.ts';
export { contextLimit } from './classic/context-limit.ts';
export { applyRange } from './classic/range/apply-range.ts';
export { cutPointsOf } from './classic/range/cut-points.ts';
export { planRange } from './classic/range/plan-range.ts';
export { judgeUsage } from './classic/should-compact.ts';
export { offloadTask } from './classic/task-text.ts';
export { planBreakpoints } from './cost/advice/plan-breakpoints.ts';
export { planLifetime } from './cost/advice/plan-lifetime.ts';
export { promptCacheKey } from './cost/advice/prompt-cache-key.ts';
export { breakEvenRequests } from './cost/break-even.ts';
export { createCostModel } from './cost/cost-model.ts';
export { diffRequests } from './cost/lint/diff-requests.ts';
export { createCacheLinter } from './cost/lint/lint-cache.ts';
export { createSegmentMeter, textOfBlock } from './cost/measure-segments.ts';
export { type ModelProfile, modelProfile } from './cost/model-profile.ts';
export { planOfflineFlushes } from './cost/offline-optimum.ts';
export { type CachePrice, cachePriceOf, cachePrices, pricesDate } from './cost/prices.ts';
export { conversationMeter } from './fit/count-conversation.ts';
export { type FitPolicy, fitConversation } from './fit/fit-conversation.ts';
export { fitMessages } from './fit/fit-messages.ts';
export { searchDistinct } from './fit/search-distinct.ts';
export { type OffloadPolicy, offloadPolicy } from './insert/offload-policy.ts';
export { offloadText, shortenText } from './insert/offload-text.ts';
export { outputIdOf, pointerUri } from './insert/pointer-uri.ts';
export { readBacks } from './insert/read-backs.ts';
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
export { notes } from './notes/notes.ts';
export type { SegmentReason } from './window/explain.ts';
export { previewTexts } from './window/insert/plain-preview.ts';
export { resultAsGiven } from './window/insert/thin-result.ts';
export { ledgerLine, resultStub } from './window/leave/stub.ts';
export type { UsageReport } from './window/observe/draft-observation.ts';
export { openWindow, type Window } from './window/window.ts';
export type { WindowEvent } from './window/window-event.ts';
export {
  limitTokensOf,
  type WindowMode,
  type WindowPolicy,
  windowModes,
  windowPolicy,
} from './window/window-policy.ts';
export { openSessionWindow } from './window-session/open-session-window.ts';
export { forkCheckpoint, restoreCheckpoint } from './window-session/restore-checkpoint.ts';
export { type SessionLog, sessionLog } from './window-session/session-log.ts';
export type { SessionWindow } from './window-session/session-window.ts';
export { messagesText } from './window-session/view/messages-text.ts';
export { hashOfGiven } from './window-session/view/read-given-hashes.ts';

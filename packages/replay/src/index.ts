export { type UsedPart, usedParts } from './context/context-use.ts';
export { measureContext } from './context/measure-context.ts';
export {
  type Conversation,
  conversationOf,
  conversationOfWindow,
  pointersOf,
} from './explain/conversation.ts';
export { explainRequest } from './explain/explain-request.ts';
export { explainStored } from './explain/explain-stored.ts';
export type { ExplainedRequest, ExplainedSegment } from './explain/explained.ts';
export { type ImportedWindow, playImported } from './explain/play-imported.ts';
export { fitPoliciesWith } from './fit/fit-policies.ts';
export { classic } from './policies/classic.ts';
export { none } from './policies/none.ts';
export { offload } from './policies/offload.ts';
export { defaultReplayPolicies, replayPolicies } from './policies/replay-policies.ts';
export { type ReplayedRequest, replaySession } from './replay.ts';
export type { PolicyContext, PolicyRun, ReplayPolicy } from './replay-policy.ts';
export type { PolicyReport } from './replay-report.ts';
export type { ReplaySession } from './replay-session.ts';
export {
  type LoadedSession,
  loadSessions,
  repairCounts,
  type SessionTimes,
  systemText,
  withoutGaps,
} from './sessions/load-sessions.ts';
export { readRequests } from './requests/read-requests.ts';
export { startRequestWriter } from './requests/write-requests.ts';
export { reportPage } from './report/report-page.ts';
export {
  type ReplayedSession,
  type ReplayRow,
  type ReplaySummary,
  replaySummarySchema,
} from './summary/replay-summary.ts';
export { rowOf, sumRows } from './summary/sum-rows.ts';
export { playRecording } from './demo/play-recording.ts';
export {
  type FileConversation,
  idOfConversation,
  loadConversation,
} from './sessions/load-conversation.ts';
export { beginReplay, openReplayStore } from './sessions/replay-store.ts';
export { firstPolicies, firstSentences, firstTable } from './summary/first-table.ts';
export { type MeasureTable, readingAid, wideTable } from './summary/wide-table.ts';

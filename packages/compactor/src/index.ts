export { type CompactOptions, compact } from './compact/compact.ts';
export { planCompaction } from './compact/plan-compaction.ts';
export type { SummaryAttempt } from './compact/receipt.ts';
export { type SummaryRecord, summaryMessage, summaryRecordOf } from './compact/summary-message.ts';
export { type WrittenSummary, writeSummary } from './compact/write-summary.ts';
export { extractAnnex, extractSummary } from './extractive/extract-summary.ts';
export { extractive } from './extractive/extractive.ts';
export { buildLedger } from './ledger/build-ledger.ts';
export type { Ledger } from './ledger/ledger.ts';
export type { LanguageModelLike } from './model/language-model.ts';
export { model } from './model/model.ts';
export {
  applySessionCompaction,
  type SessionCompactionReceipt,
} from './session/apply-session-compaction.ts';
export { type CompactSessionReceipt, compactSession } from './session/compact-session.ts';
export {
  planSessionCompaction,
  type SessionCompactionPlan,
} from './session/plan-session-compaction.ts';
export {
  defaultSessionCompactionPolicy,
  type SessionCompactionPolicy,
} from './session/session-compaction-policy.ts';
export { sessionTokens } from './session/session-tokens.ts';
export { lineSummarizer } from './session/summary/line-summary.ts';
export type { SessionSummarizer } from './session/summary/session-summarizer.ts';
export { summarizerOfSession } from './session/summary/summarizer-of-session.ts';
export { undoSessionCompaction } from './session/undo-session-compaction.ts';
export { chain } from './summary/chain.ts';
export { sectionTitles } from './summary/sections.ts';
export type { Summarizer, SummaryUsage } from './summary/summarizer.ts';
export { verifyCompaction } from './verify/verify-compaction.ts';

export {
  compact,
  type CompactOptions,
  type CompactionBlock,
  type CompactionResult,
} from './compact/compact.ts';
export {
  type CompactionPolicy,
  compactionPolicy,
  defaultCompactionPolicy,
} from './compact/compaction-policy.ts';
export {
  type CompactionPlan,
  type NoCompactionReason,
  planCompaction,
  type PlanCompactionOptions,
} from './compact/plan-compaction.ts';
export type { CompactionReceipt, SummaryAttempt } from './compact/receipt.ts';
export { type SummaryRecord, summaryMessage, summaryRecordOf } from './compact/summary-message.ts';
export {
  writeSummary,
  type WriteSummaryOptions,
  type WrittenSummary,
} from './compact/write-summary.ts';
export { extractAnnex, extractSummary, type ExtractOptions } from './extractive/extract-summary.ts';
export { extractive, type ExtractiveOptions } from './extractive/extractive.ts';
export { defaultRecipe, type ExtractiveRecipe } from './extractive/recipe.ts';
export {
  buildLedger,
  defaultLedgerPolicy,
  type LedgerOptions,
  type LedgerPolicy,
} from './ledger/build-ledger.ts';
export { type CarriedText, entriesOf, type Ledger, type LedgerEntry } from './ledger/ledger.ts';
export type {
  LanguageModelAnswer,
  LanguageModelLike,
  LanguageModelRequest,
  PromptMessage,
  PromptText,
  PromptToolCall,
  PromptToolResult,
} from './model/language-model.ts';
export {
  model,
  type ModelOptions,
  type SummaryFunction,
  type SummaryPrompt,
} from './model/model.ts';
export type { PointersByCall } from './reading/read-history.ts';
export {
  type ApplySessionOptions,
  applySessionCompaction,
  type SessionCompactionReceipt,
  type SessionCompactionRefusal,
} from './session/apply-session-compaction.ts';
export { sessionTokens } from './session/session-tokens.ts';
export {
  compactSession,
  type CompactSessionOptions,
  type CompactSessionReceipt,
} from './session/compact-session.ts';
export { lineSummarizer } from './session/summary/line-summary.ts';
export {
  planSessionCompaction,
  type PlanSessionOptions,
  type SessionCompactionPlan,
} from './session/plan-session-compaction.ts';
export {
  defaultSessionCompactionPolicy,
  type SessionCompactionPolicy,
} from './session/session-compaction-policy.ts';
export type {
  SessionSummarizer,
  SessionSummaryDraft,
  SessionSummaryInput,
  SessionSummaryOptions,
} from './session/summary/session-summarizer.ts';
export { summarizerOfSession } from './session/summary/summarizer-of-session.ts';
export {
  undoneDocument,
  undoSessionCompaction,
  type UndoSessionReceipt,
} from './session/undo-session-compaction.ts';
export { chain } from './summary/chain.ts';
export { newQuoteMark, outsideQuotes, quoteData } from './summary/quote.ts';
export { type SectionTitle, sectionTitles } from './summary/sections.ts';
export type {
  FinishReason,
  SummaryDraft,
  Summarizer,
  SummaryRequest,
  SummaryUsage,
} from './summary/summarizer.ts';
export { trustOfMessages } from './summary/trust.ts';
export type { SummaryProblem, SummaryProblemKind } from './verify/problems.ts';
export {
  type CompactionVerdict,
  verifyCompaction,
  type VerifyCompactionOptions,
} from './verify/verify-compaction.ts';

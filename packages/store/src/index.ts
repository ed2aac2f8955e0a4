export type { Checkpoint, CheckpointSummary } from './checkpoints/checkpoint.ts';
export type { ForkReceipt } from './checkpoints/fork-checkpoint.ts';
export type { RestoreReceipt } from './checkpoints/restore-checkpoint.ts';
export { registryTenant, storeCollections } from './collections/collections.ts';
export { graphItemWords } from './collections/graph-item-words.ts';
export { collections } from './collections/named-collections.ts';
export { storeWords, wordsOfRecord } from './collections/record-words.ts';
export type { SessionCompaction } from './compactions/compaction-record.ts';
export type { CompactionDraft } from './compactions/compactions.ts';
export type { ItemDiff } from './diff/item-diff.ts';
export type { EventInput } from './events/events.ts';
export type { AgentFact } from './facts/agent-fact.ts';
export type { FactKind } from './facts/fact-detail.ts';
export type { FlashSaveReceipt } from './flash-save/flash-save.ts';
export type { FlashSavePolicy } from './flash-save/flash-save-policy.ts';
export { flashSaveTrigger } from './flash-save/should-flash-save.ts';
export { type ItemInput, maxItemBytes } from './items/save/draft-item.ts';
export type { ItemAction, ItemChange } from './items/save/plan-change.ts';
export { migrateStore } from './migrate-store.ts';
export { type ContextStore, type OpenStoreOptions, openStore } from './open-store.ts';
export type { OutputInput } from './outputs/draft-output.ts';
export { signsOfCall } from './outputs/output-id.ts';
export type { RetentionPolicy } from './outputs/retention.ts';
export type { OutputReceipt } from './outputs/save-outputs.ts';
export type { OutputHit } from './outputs/search-outputs.ts';
export { describeToolCall } from './pointers/describe-tool-call.ts';
export { pathOfArgs } from './pointers/path-of-args.ts';
export { previewOf } from './pointers/preview.ts';
export { purges } from './purge/purges.ts';
export { findPattern } from './reading/find-pattern.ts';
export { readCharacters } from './reading/read-characters.ts';
export { readJsonPath } from './reading/read-json-path.ts';
export { readLines } from './reading/read-lines.ts';
export { accessCollection, type CollectionAccess } from './records/collection-access.ts';
export { matchHeading } from './records/match-heading.ts';
export { type Page, type PageRequest, readPage } from './records/pages.ts';
export { recentMap } from './records/recent-map.ts';
export { retryOnConflict } from './records/retry-on-conflict.ts';
export { speech } from './said/speech.ts';
export { defaultAgentId } from './sessions/default-agent.ts';
export { entryTokens } from './sessions/history.ts';
export { recordUsage } from './sessions/session-counts.ts';
export {
  emptySessionDocument,
  type HistoryEntry,
  type Session,
  type SessionDocument,
  sessionDocumentSchema,
} from './sessions/session-document.ts';
export { sessionExtras, trusts, withExtras } from './sessions/session-extras.ts';
export { taskState } from './sessions/tasks.ts';
export { tidyDocument } from './sessions/tidy-document.ts';
export type { Finding } from './verify/finding.ts';
export { type VerifyReceipt, verifyStore } from './verify/verify-store.ts';
export { verifySummaryOf } from './verify/verify-summary.ts';
export type { OpenWork } from './work/open-works.ts';
export type { WorkPlace } from './work/work-place.ts';
export { works } from './work/works.ts';

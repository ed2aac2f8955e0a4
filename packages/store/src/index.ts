export type { Checkpoint, CheckpointSummary, ItemCount } from './checkpoints/checkpoint.ts';
export type { ForkReceipt } from './checkpoints/fork-checkpoint.ts';
export type { RestoreOptions, RestoreReceipt } from './checkpoints/restore-checkpoint.ts';
export { registryTenant, storeCollections } from './collections/collections.ts';
export { graphItemWords } from './collections/graph-item-words.ts';
export { collections } from './collections/named-collections.ts';
export { storeWords, wordsOfRecord } from './collections/record-words.ts';
export type {
  CompactedMembers,
  CompactionTrigger,
  OffloadedEntry,
  SessionCompaction,
} from './compactions/compaction-record.ts';
export type { CompactionDraft, CompactionSummary } from './compactions/compactions.ts';
export type { DiffChange, DiffEntry, ItemDiff } from './diff/item-diff.ts';
export type { AppendedEvents, EventInput } from './events/events.ts';
export type { AgentFact } from './facts/agent-fact.ts';
export type { RecalledFact } from './facts/agent-facts.ts';
export type { FactKind, FactVector } from './facts/fact-detail.ts';
export type { ForgetReceipt } from './facts/forget-fact.ts';
export type { RememberReceipt } from './facts/write-fact.ts';
export { applyFlashSave, type FlashSaveReceipt, flashSave } from './flash-save/flash-save.ts';
export { type FlashSavePolicy, flashSavePolicy } from './flash-save/flash-save-policy.ts';
export { type FlashSavePlan, planFlashSave } from './flash-save/plan-flash-save.ts';
export {
  type FlashSaveMemory,
  firstFlashSaveMemory,
  shouldFlashSave,
} from './flash-save/should-flash-save.ts';
export type { ItemStats } from './items/item-stats.ts';
export type { ItemService } from './items/items.ts';
export type { ItemListRequest } from './items/read/list-items.ts';
export type { ItemLoad, LoadRequest } from './items/read/load-items.ts';
export type { ItemSearch, ItemSearchAnswer } from './items/read/search-items.ts';
export { type ItemInput, maxItemBytes } from './items/save/draft-item.ts';
export type { ItemAction, ItemChange } from './items/save/plan-change.ts';
export type { ItemSaved } from './items/save/plan-save.ts';
export type { TierChanges } from './items/tiers/tier-changes.ts';
export { migrateStore } from './migrate-store.ts';
export { type ContextStore, type OpenStoreOptions, openStore } from './open-store.ts';
export type { OutputInput } from './outputs/draft-output.ts';
export { signsOfCall } from './outputs/output-id.ts';
export type { OutputService } from './outputs/outputs.ts';
export type { OutputRelevance } from './outputs/relevant-outputs.ts';
export type { RetentionPlan, RetentionPolicy } from './outputs/retention.ts';
export type { OutputReceipt } from './outputs/save-outputs.ts';
export type { OutputHit, OutputLine, OutputSearchAnswer } from './outputs/search-outputs.ts';
export { describeToolCall } from './pointers/describe-tool-call.ts';
export { pathOfArgs } from './pointers/path-of-args.ts';
export { previewOf } from './pointers/preview.ts';
export type { PurgeCounts } from './purge/count-plan.ts';
export type { PurgeRecord } from './purge/purge-record.ts';
export type { PurgeScope } from './purge/purge-scope.ts';
export { purges } from './purge/purges.ts';
export type { PurgeShare } from './purge/work-on-purge.ts';
export { findPattern } from './reading/find-pattern.ts';
export { readCharacters } from './reading/read-characters.ts';
export { readJsonPath } from './reading/read-json-path.ts';
export { readLines } from './reading/read-lines.ts';
export { accessCollection, type CollectionAccess } from './records/collection-access.ts';
export { matchHeading } from './records/match-heading.ts';
export { checkLimit, type Page, type PageRequest, readPage } from './records/pages.ts';
export { recentMap } from './records/recent-map.ts';
export { retryOnConflict } from './records/retry-on-conflict.ts';
export { defaultAgentId } from './sessions/default-agent.ts';
export {
  type RetentionPlace,
  type StoreRetention,
  type StoreRetentionPlan,
  storeRetention,
} from './retention/store-retention.ts';
export { exportSession, importSession } from './sessions/exchange-session.ts';
export { addFact, mergeFacts } from './sessions/facts.ts';
export { cutPlaces, entryTokens, isToolEntry, isUserEntry } from './sessions/history.ts';
export { recordUsage, type TokenUse } from './sessions/session-counts.ts';
export {
  emptySessionDocument,
  type HistoryEntry,
  type Session,
  type SessionDocument,
  sessionDocumentSchema,
} from './sessions/session-document.ts';
export {
  type FactNote,
  leastTrust,
  sessionExtras,
  trustOfSource,
  withExtras,
} from './sessions/session-extras.ts';
export { readSessionJson } from './sessions/session-json.ts';
export { type SessionMemory, sessionMemory } from './sessions/session-memory.ts';
export type { SessionSummary, SessionText } from './sessions/session-record.ts';
export {
  defaultTaskPolicy,
  isTerminalStatus,
  pruneTasks,
  type SessionTask,
  statusName,
  taskUpdatedAt,
} from './sessions/tasks.ts';
export type { Finding } from './verify/finding.ts';
export {
  applyRepair,
  type Verified,
  type VerifyOptions,
  type VerifyReceipt,
  verifyStore,
} from './verify/verify-store.ts';
export { verifySummaryOf } from './verify/verify-summary.ts';
export type { ClaimedBatch } from './work/claim-batch.ts';
export type { OpenWork, WorkKind } from './work/open-works.ts';
export type { WorkPlace } from './work/work-place.ts';
export { works } from './work/works.ts';

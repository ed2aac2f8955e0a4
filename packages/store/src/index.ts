export type { CheckpointListRequest, CheckpointService } from './checkpoints/checkpoints.ts';
export type { CheckpointCommit, CheckpointDraft } from './checkpoints/commit-checkpoint.ts';
export type { CheckpointDeletion } from './checkpoints/delete-checkpoints.ts';
export type { ForkOptions, ForkReceipt } from './checkpoints/fork-checkpoint.ts';
export type { RestoreOptions, RestoreReceipt } from './checkpoints/restore-checkpoint.ts';
export {
  type CheckpointRetention,
  defaultCheckpointRetention,
  planCheckpointRetention,
} from './checkpoints/retention.ts';
export type { WorkingItems } from './checkpoints/working/working-items.ts';
export type { StandingItem, WorkingPart } from './checkpoints/working/working-part.ts';
export type { WorkingScope, WorkingState } from './checkpoints/working/working-state.ts';
export {
  adapterCollections,
  agentHistoriesCollection,
  agentHistoryItemsCollection,
  agentHistoryOperationsCollection,
  hookCallsCollection,
  memoryChangesCollection,
  memoryFilesCollection,
  memorySpacesCollection,
} from './collections/adapter-collections.ts';
export {
  apiKeysCollection,
  compactionsCollection,
  eventsCollection,
  factsCollection,
  idempotencyCollection,
  itemsCollection,
  liveEventsCollection,
  outputsCollection,
  registryTenant,
  sessionsCollection,
  storeCollections,
  tenantsCollection,
} from './collections/collections.ts';
export { graphMemberWord, wordsOfGraphItem } from './collections/graph-item-words.ts';
export {
  chatMessagesCollection,
  graphCheckpointsCollection,
  graphItemsCollection,
  graphPartsCollection,
  graphWritesCollection,
  namedBytesCollection,
} from './collections/langchain-collections.ts';
export { storeWords, wordsOfRecord } from './collections/record-words.ts';
export {
  diffManifests,
  type Manifest,
  type ManifestDiff,
  type ManifestEntry,
} from './diff/diff-manifests.ts';
export type { ItemChangesSince, ItemDiffSince } from './diff/diff-since.ts';
export {
  type DiffChange,
  type DiffEntry,
  diffItemManifests,
  type ItemDiff,
  type ItemPlace,
} from './diff/item-diff.ts';
export { itemManifest, type ItemManifest } from './diff/item-manifest.ts';
export type {
  AppendedEvents,
  AppendEventsOptions,
  EventInput,
  EventService,
  ReadEventsOptions,
} from './events/events.ts';
export type {
  FactService,
  RecalledFact,
  RecallRequest,
  RememberInput,
  RememberReceipt,
} from './facts/agent-facts.ts';
export type { RemainingMention } from './facts/find-mentions.ts';
export type { ForgetReceipt, ForgetRequest } from './facts/forget-fact.ts';
export { normaliseFact } from './facts/normalise-fact.ts';
export {
  defaultFlashSavePolicy,
  type FlashSavePolicy,
  flashSavePolicy,
} from './flash-save/flash-save-policy.ts';
export {
  applyFlashSave,
  flashSave,
  type FlashSaveReceipt,
  type FlashSaveRequest,
} from './flash-save/flash-save.ts';
export {
  type BigItem,
  type FlashSaveNaming,
  type FlashSavePlan,
  planFlashSave,
} from './flash-save/plan-flash-save.ts';
export {
  firstFlashSaveMemory,
  type FlashSaveDecision,
  type FlashSaveMemory,
  type FlashSaveReason,
  type MeasuredRequest,
  shouldFlashSave,
} from './flash-save/should-flash-save.ts';
export type { ChangeCondition } from './items/change-items.ts';
export {
  type ItemInput,
  leastWeight,
  maxItemBytes,
  maxKindCharacters,
} from './items/draft-item.ts';
export type { ItemStats, ItemTally, TierTally } from './items/item-stats.ts';
export type { ChangeItem, ItemService } from './items/items.ts';
export type { ItemBrief, ItemFilter, ItemListRequest } from './items/list-items.ts';
export {
  defaultLoadTokens,
  type ItemLoad,
  type LoadRequest,
  type PassedOverItem,
} from './items/load-items.ts';
export type { ItemAction, ItemChange } from './items/plan-change.ts';
export type { ItemSaved, SaveOutcome } from './items/plan-save.ts';
export type { ItemHit, ItemSearch, ItemSearchAnswer } from './items/search-items.ts';
export type { TierChange, TierChanges, TierChangesRequest } from './items/tier-changes.ts';
export {
  type MigrateOptions,
  migrateStore,
  type MigrationProgress,
  type MigrationReceipt,
} from './migrate-store.ts';
export { type ContextStore, openStore, type OpenStoreOptions } from './open-store.ts';
export type { OutputInput } from './outputs/draft-output.ts';
export { signsOfCall } from './outputs/output-id.ts';
export { defaultOutputPolicy, type OutputPolicy } from './outputs/output-policy.ts';
export type { OutputName } from './outputs/output-reader.ts';
export type { OutputService, OutputTally, PointerRequest } from './outputs/outputs.ts';
export type { OutputRelevance, RelevanceRequest } from './outputs/relevant-outputs.ts';
export type { RetentionPlan, RetentionPolicy, RetentionReceipt } from './outputs/retention.ts';
export type { OutputReceipt } from './outputs/save-outputs.ts';
export type { OutputHit, OutputLine, OutputSearch } from './outputs/search-outputs.ts';
export { describeToolCall } from './pointers/describe-tool-call.ts';
export { pathOfArgs } from './pointers/path-of-args.ts';
export { previewOf } from './pointers/preview.ts';
export { defaultTrimPolicy, trimArgs, type TrimPolicy } from './pointers/trim-args.ts';
export type { PurgeSteps } from './purge/plan-parts.ts';
export { checkScope, planPurge, type PurgePlan, type PurgeRequest } from './purge/plan-purge.ts';
export {
  beginPurge,
  listPurges,
  purgeCounts,
  type PurgeKeeping,
  purgeProgress,
  type PurgeProgress,
  type PurgeRecord,
  type PurgeStage,
  readPurge,
  type TimedKeeping,
} from './purge/purge-record.ts';
export type { PurgeScope } from './purge/purge-scope.ts';
export { countedAs, type PurgeStep } from './purge/purge-step.ts';
export type { PurgeFindings } from './purge/steps-of-scope.ts';
export {
  type PurgeShare,
  type PurgeWork,
  type PurgeWorkOptions,
  workOnPurge,
} from './purge/work-on-purge.ts';
export {
  defaultFindLimits,
  findPattern,
  type FindPatternAnswer,
  type FindPatternOptions,
  type PatternMatch,
} from './reading/find-pattern.ts';
export { compilePattern, type LinearPattern } from './reading/linear-pattern.ts';
export {
  type JsonPathAnswer,
  readJsonPath,
  type ReadJsonPathOptions,
} from './reading/read-json-path.ts';
export {
  defaultReadLimits,
  readLines,
  type ReadLinesAnswer,
  type ReadLinesOptions,
} from './reading/read-lines.ts';
export { accessCollection, type CollectionAccess } from './records/collection-access.ts';
export { checkLimit, type Page, type PageRequest, readPage } from './records/pages.ts';
export { recentMap } from './records/recent-map.ts';
export type { RecordService } from './records/records.ts';
export { maxConflictTries, retryOnConflict } from './records/retry-on-conflict.ts';
export type { SessionActivity } from './sessions/activity-log.ts';
export type {
  CompactionDraft,
  CompactionService,
  CompactionSummary,
} from './sessions/compactions.ts';
export { defaultAgentId } from './sessions/default-agent.ts';
export {
  exportSession,
  importSession,
  type ImportSessionOptions,
} from './sessions/exchange-session.ts';
export {
  addFact,
  type FactChange,
  type FactInput,
  mergeFacts,
  removeFact,
  supersedeFact,
} from './sessions/facts.ts';
export {
  appendEntries,
  cutPlaces,
  type EntryInput,
  entryTokens,
  isToolEntry,
  isUserEntry,
} from './sessions/history.ts';
export {
  recordToolCall,
  recordUsage,
  type TokenUse,
  type ToolCallCount,
} from './sessions/session-counts.ts';
export {
  type FactNote,
  leastTrust,
  type PlanStep,
  sessionExtras,
  type SessionExtras,
  type SessionPlan,
  type SupersededFact,
  trustOfSource,
  withExtras,
} from './sessions/session-extras.ts';
export { readSessionJson, writeSessionJson } from './sessions/session-json.ts';
export { type FactReceipt, type SessionMemory, sessionMemory } from './sessions/session-memory.ts';
export type { SessionSummary, SessionText } from './sessions/session-record.ts';
export {
  type EnvironmentNote,
  noteEnvironment,
  type PlanChange,
  preferencesOf,
  removePlan,
  setPlan,
  setPreference,
} from './sessions/session-state.ts';
export type { SessionService } from './sessions/sessions.ts';
export {
  defaultTaskPolicy,
  isTerminalStatus,
  planTaskPruning,
  pruneTasks,
  type SessionTask,
  statusName,
  type TaskChange,
  type TaskPolicy,
  type TaskPruning,
  taskUpdatedAt,
  updateTask,
} from './sessions/tasks.ts';
export { updateSession } from './sessions/update-session.ts';
export { claimBatch, type ClaimedBatch, hasBatches } from './work/claim-batch.ts';
export {
  listWorks,
  noteVersion,
  type OpenWork,
  workEnd,
  type WorkKind,
  workNote,
} from './work/open-works.ts';
export { batchesOf, claimMs, type WorkPlace } from './work/work-place.ts';
export type { Finding, FindingKind } from './verify/finding.ts';
export {
  applyRepair,
  type Verified,
  type VerifyOptions,
  type VerifyReceipt,
  verifyStore,
} from './verify/verify-store.ts';
export { type VerifySummary, verifySummaryOf } from './verify/verify-summary.ts';

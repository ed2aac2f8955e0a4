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
export type { WorkingItems } from './checkpoints/working-items.ts';
export type { StandingItem, WorkingPart } from './checkpoints/working-part.ts';
export type { WorkingScope, WorkingState } from './checkpoints/working-state.ts';
export { canonicalJson, canonicalJsonOfEncoded } from './content/canonical-json.ts';
export { cutText, cutTextEnd, type TextBudget } from './content/cut-text.ts';
export { decodeValue } from './content/decode-value.ts';
export { describeToolCall } from './content/describe-tool-call.ts';
export { isPlainData } from './content/copy-plain.ts';
export { type EncodeOptions, encodeValue } from './content/encode-value.ts';
export type { EncodedContainer, EncodedValue } from './content/encoded-value.ts';
export {
  defaultFindLimits,
  findPattern,
  type FindPatternAnswer,
  type FindPatternOptions,
  type PatternMatch,
} from './content/find-pattern.ts';
// fingerprintBytes: @ctx/transcripts names the records of a file by it.
export {
  fingerprint,
  fingerprintBytes,
  fingerprintOfEncoded,
  fingerprintText,
} from './content/fingerprint.ts';
export { compilePattern, type LinearPattern } from './content/linear-pattern.ts';
export { outputText, outputTextOfEncoded } from './content/output-text.ts';
export { pathOfArgs } from './content/path-of-args.ts';
export { previewOf } from './content/preview.ts';
export {
  type JsonPathAnswer,
  readJsonPath,
  type ReadJsonPathOptions,
} from './content/read-json-path.ts';
export {
  defaultReadLimits,
  readLines,
  type ReadLinesAnswer,
  type ReadLinesOptions,
} from './content/read-lines.ts';
export {
  createRedactor,
  type Redacted,
  type RedactionMode,
  type RedactionReceipt,
  type Redactor,
} from './content/redact.ts';
export { idOfSafeName, safeNameOf } from './content/safe-name.ts';
export type { SecretKind } from './content/secret-span.ts';
export { defaultTrimPolicy, trimArgs, type TrimPolicy } from './content/trim-args.ts';
export { decodeText, encodeText } from './content/well-formed.ts';
export type { ItemChangesSince, ItemDiffSince } from './diff/diff-since.ts';
export {
  type DiffChange,
  type DiffEntry,
  diffItemManifests,
  type ItemDiff,
  type ItemPlace,
} from './diff/item-diff.ts';
export { itemManifest, type ItemManifest } from './diff/item-manifest.ts';
export {
  diffManifests,
  type Manifest,
  type ManifestDiff,
  type ManifestEntry,
} from './diff-manifests.ts';
export { CtxError, type CtxErrorCode, errorAdvice, isCtxError } from './errors.ts';
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
export { approximateTokens } from './host/approximate-tokens.ts';
export { type Clock, systemClock } from './host/clock.ts';
export { type IdSource, randomIds, sequenceIds } from './host/ids.ts';
export type { TokenCounter } from './host/token-counter.ts';
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
export { missingResultText } from './messages/place-results.ts';
export type { Repair, RepairKind, RepairReport } from './messages/repair-report.ts';
export { addedUserText, repairMessages } from './messages/repair.ts';
export { callsOf, type Unit, unitsOf } from './messages/unit.ts';
export { validateMessages, type Violation, type ViolationKind } from './messages/validate.ts';
export type { OutputInput } from './outputs/draft-output.ts';
export { signsOfCall } from './outputs/output-id.ts';
export {
  defaultOutputPolicy,
  type OutputPolicy,
} from './outputs/output-policy.ts';
export type { OutputName } from './outputs/output-reader.ts';
export type { OutputService, OutputTally, PointerRequest } from './outputs/outputs.ts';
export type { OutputRelevance, RelevanceRequest } from './outputs/relevant-outputs.ts';
export type {
  RetentionPlan,
  RetentionPolicy,
  RetentionReceipt,
} from './outputs/retention.ts';
export type { OutputReceipt } from './outputs/save-outputs.ts';
export type { OutputHit, OutputLine, OutputSearch } from './outputs/search-outputs.ts';
export type { AgentFact, FactOrigin } from './records/agent-fact.ts';
export type {
  Checkpoint,
  CheckpointSummary,
  CheckpointTrigger,
  ItemCount,
  ManifestItem,
} from './records/checkpoint.ts';
export type { ContextItem, ItemSummary } from './records/context-item.ts';
export type {
  ContentBlock,
  Extra,
  Message,
  OpaqueBlock,
  ResultBlock,
  Role,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './records/message.ts';
export type { SessionEvent } from './records/session-event.ts';
export type {
  CompactedMembers,
  CompactedMessages,
  CompactionTrigger,
  OffloadedEntry,
  RemovedEntry,
  SessionCompaction,
} from './records/session-compaction.ts';
export {
  emptySessionDocument,
  type HistoryEntry,
  type Session,
  type SessionDocument,
  type SessionTokenUsage,
  sessionDocumentSchema,
  type ToolStats,
} from './records/session.ts';
export type { ContextPointer, ToolOutput } from './records/tool-output.ts';
export { argsText } from './relevance/args-text.ts';
export {
  type DescribedOutput,
  documentOfOutput,
  type OutputDocumentOptions,
} from './relevance/document-of-output.ts';
export { type ToolAccess, toolAccess } from './relevance/file-access.ts';
export { type KeywordPointer, selectByKeyword } from './relevance/keyword.ts';
export {
  type MatchingLine,
  matchingLine,
  type MatchingLineOptions,
} from './relevance/matching-line.ts';
export type {
  FileAccess,
  RankedDocument,
  RelevanceDocument,
  RelevanceParts,
  RelevanceQuery,
} from './relevance/relevance-document.ts';
export {
  createRelevanceIndex,
  type RelevanceIndex,
  type RelevanceIndexOptions,
} from './relevance/relevance-index.ts';
export {
  defaultRelevancePolicy,
  type RelevancePolicy,
  relevancePolicy,
} from './relevance/relevance-policy.ts';
export {
  type Reranker,
  type RerankOptions,
  type RerankRequest,
  rerank,
} from './relevance/reranker.ts';
export { type CandidateOptions, scoreCandidates } from './relevance/score-candidates.ts';
export type { ScoreOptions } from './relevance/score-contents.ts';
export {
  defaultSelectionPolicy,
  type PointerSelection,
  type SelectablePointer,
  type SelectedPointer,
  type SelectionPolicy,
  selectPointers,
} from './relevance/select-pointers.ts';
export { type SearchWordsOptions, searchWords, splitWords } from './relevance/split-words.ts';
export { type QueriedOutput, turnNumbers } from './relevance/turn-numbers.ts';
export { explainImportance, type ImportanceParts } from './scoring/explain-importance.ts';
export {
  checkImportancePolicy,
  defaultImportancePolicy,
  type ImportancePolicy,
  weightOfKind,
} from './scoring/importance-policy.ts';
export { importanceOf } from './scoring/importance.ts';
export {
  boostOf,
  pinnedBonus,
  rankAt,
  rankEpoch,
  type RankInputs,
  rankOf,
} from './scoring/rank.ts';
export { rankRangeOf, type Tier, tierOf, tiers } from './scoring/tier.ts';
export type { SessionActivity } from './sessions/activity-log.ts';
export type {
  FactService,
  RecalledFact,
  RecallRequest,
  RememberInput,
  RememberReceipt,
} from './sessions/agent-facts.ts';
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
export type { RemainingMention } from './sessions/find-mentions.ts';
export type { ForgetReceipt, ForgetRequest } from './sessions/forget-fact.ts';
export {
  appendEntries,
  cutPlaces,
  type EntryInput,
  entryTokens,
  isToolEntry,
  isUserEntry,
} from './sessions/history.ts';
export { normaliseFact } from './sessions/normalise-fact.ts';
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
  type Trust,
  trustOfSource,
  withExtras,
} from './sessions/session-extras.ts';
export { readSessionJson, writeSessionJson } from './sessions/session-json.ts';
export { type FactReceipt, type SessionMemory, sessionMemory } from './sessions/session-memory.ts';
export {
  type EnvironmentNote,
  noteEnvironment,
  type PlanChange,
  preferencesOf,
  removePlan,
  setPlan,
  setPreference,
} from './sessions/session-state.ts';
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
export {
  adapterCollections,
  agentHistoriesCollection,
  agentHistoryItemsCollection,
  agentHistoryOperationsCollection,
  hookCallsCollection,
  memoryChangesCollection,
  memoryFilesCollection,
  memorySpacesCollection,
} from './store/adapter-collections.ts';
export { appendedPart, appendPuts, checkAppends } from './store/append-records.ts';
export { checkCollections } from './store/check-definition.ts';
export { checkOffered } from './store/check-offered.ts';
export { checkOperations } from './store/check-operation.ts';
export {
  checkEmptyRanges,
  checkLists,
  checkPatchRanges,
  checkScan,
  checkSearch,
  checkTally,
  searchableWords,
} from './store/check-query.ts';
export {
  checkKey,
  checkKeys,
  collectionNamed,
  completeColumns,
  isStorableText,
} from './store/check-value.ts';
export type { CollectionAccess } from './store/collection-access.ts';
export {
  compactionsCollection,
  eventsCollection,
  factsCollection,
  itemsCollection,
  outputsCollection,
  registryTenant,
  sessionsCollection,
  storeCollections,
  tenantsCollection,
} from './store/collections.ts';
export {
  compareKeys,
  compareText,
  compareValueLists,
  compareValues,
} from './store/compare-values.ts';
export type {
  AppendedEvents,
  AppendEventsOptions,
  EventInput,
  EventService,
  ReadEventsOptions,
} from './store/events.ts';
export { graphMemberWord, wordsOfGraphItem } from './store/graph-item-words.ts';
export { fieldsOfIndex, fieldValue, keyText, positionOf } from './store/index-order.ts';
export {
  chatMessagesCollection,
  graphCheckpointsCollection,
  graphItemsCollection,
  graphPartsCollection,
  graphWritesCollection,
  namedBytesCollection,
} from './store/langchain-collections.ts';
export { lookForWrites, type WriteLook } from './store/look-for-writes.ts';
export {
  createMemoryPlace,
  type MemoryBackendOptions,
  type MemoryPlace,
  memoryBackend,
} from './store/memory-backend.ts';
export { isSameIndex, mergeDefinition } from './store/merge-definition.ts';
export {
  type MigrateOptions,
  type MigrationProgress,
  type MigrationReceipt,
  migrateStore,
} from './store/migrate-store.ts';
export { type ContextStore, openStore, type OpenStoreOptions } from './store/open-store.ts';
export type { Page, PageRequest } from './store/pages.ts';
export { listsOf } from './store/record-lists.ts';
export { storeWords, wordsOfRecord } from './store/record-words.ts';
export type { RecordService } from './store/records.ts';
export { retryOnConflict } from './store/retry-on-conflict.ts';
export type { SessionSummary, SessionText } from './store/session-record.ts';
export type { SessionService } from './store/sessions.ts';
export type {
  AppendBatch,
  CheckOperation,
  CollectionDefinition,
  ColumnDefinition,
  ColumnType,
  ColumnValue,
  DeleteOperation,
  EmptyRange,
  FieldRange,
  IndexDefinition,
  ListQuery,
  OpenOptions,
  PatchOperation,
  PatchRange,
  PutOperation,
  RecordKey,
  RecordLists,
  RecordPart,
  RecordScan,
  ScanPosition,
  ScanQuery,
  SearchFieldDefinition,
  SearchHit,
  SearchQuery,
  StoreBackend,
  StoredRecord,
  StoreSupport,
  Tally,
  TallyQuery,
  WordsOfRecord,
  WriteOperation,
  WriteOptions,
  WriteWatch,
} from './store/store-backend.ts';
export { fits, room, type TokenBudget } from './token-budget.ts';

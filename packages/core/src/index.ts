export { canonicalJson, canonicalJsonOfEncoded } from './encoding/canonical-json.ts';
export { isPlainData } from './encoding/copy-plain.ts';
export { isPlainContainer } from './encoding/decode-tagged.ts';
export { decodeJson, decodeValue, mayHoldTags } from './encoding/decode-value.ts';
export { encodeScalar } from './encoding/encode-scalar.ts';
export { type EncodeOptions, encodeValue } from './encoding/encode-value.ts';
export {
  type EncodedContainer,
  type EncodedValue,
  setOwn,
  tagKey,
} from './encoding/encoded-value.ts';
export {
  fingerprint,
  fingerprintBytes,
  fingerprintOfEncoded,
  fingerprintText,
} from './encoding/fingerprint.ts';
export { outputText, outputTextOfEncoded } from './encoding/output-text.ts';
export { CtxError, type CtxErrorCode, errorAdvice, isCtxError } from './errors.ts';
export { type Clock, systemClock } from './host/clock.ts';
export { type IdSource, randomIds, sequenceIds } from './host/ids.ts';
export type { TokenCounter } from './host/token-counter.ts';
export { missingResultText } from './messages/place-results.ts';
export type { Repair, RepairKind, RepairReport } from './messages/repair-report.ts';
export { addedUserText, repairMessages } from './messages/repair.ts';
export { callsOf, type Unit, unitsOf } from './messages/unit.ts';
export { validateMessages, type Violation, type ViolationKind } from './messages/validate.ts';
export {
  type AgentFact,
  type AgentFactBody,
  agentFactBodySchema,
  type FactOrigin,
} from './records/agent-fact.ts';
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
export {
  type CompactedMembers,
  type CompactedMessages,
  type CompactionBody,
  compactionBodySchema,
  type CompactionTrigger,
  type OffloadedEntry,
  type RemovedEntry,
  type SessionCompaction,
} from './records/session-compaction.ts';
export type { SessionEvent } from './records/session-event.ts';
export {
  emptySessionDocument,
  type HistoryEntry,
  historyEntrySchema,
  type Session,
  type SessionDocument,
  sessionDocumentSchema,
  type SessionTokenUsage,
  type ToolStats,
} from './records/session.ts';
export type { ContextPointer, ToolOutput } from './records/tool-output.ts';
export type { Trust } from './records/trust.ts';
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
  touchedAtOf,
} from './scoring/rank.ts';
export { rankRangeOf, type Tier, tierOf, tiers, tiersAt } from './scoring/tier.ts';
export { cutText, cutTextEnd, type TextBudget } from './text/cut-text.ts';
export { idOfSafeName, safeNameOf } from './text/safe-name.ts';
export { readChunks, type TextChunk } from './text/text-chunk.ts';
export { utf8Length } from './text/utf8-length.ts';
export { decodeText, encodeText, escapeCharacter, isWellFormed } from './text/well-formed.ts';

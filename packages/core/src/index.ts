export { CtxError, type CtxErrorCode, errorAdvice, isCtxError } from './errors.ts';
export { type Clock, systemClock } from './host/clock.ts';
export { type IdSource, randomIds, sequenceIds } from './host/ids.ts';
export type { TokenCounter } from './host/token-counter.ts';
export { checkMessages } from './messages/check-messages.ts';
export { missingResultText } from './messages/place-results.ts';
export { addedUserText, repairMessages } from './messages/repair.ts';
export { callsOf, unitsOf } from './messages/unit.ts';
export { validateMessages } from './messages/validate.ts';
export type { ContextItem, ItemSummary } from './records/context-item.ts';
export type {
  ContentBlock,
  Extra,
  Message,
  ResultBlock,
  Role,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './records/message.ts';
export type { SessionEvent } from './records/session-event.ts';
export type { ContextPointer, ToolOutput } from './records/tool-output.ts';
export type { Trust } from './records/trust.ts';
export { explainImportance, type ImportanceParts } from './scoring/explain-importance.ts';
export { importanceOf } from './scoring/importance.ts';
export {
  checkImportancePolicy,
  defaultImportancePolicy,
  type ImportancePolicy,
} from './scoring/importance-policy.ts';
export { rankEpoch, rankOf, touchedAtOf } from './scoring/rank.ts';
export { rankRangeOf, type Tier, tierBorder, tierOf, tiers, tiersAt } from './scoring/tier.ts';
export { cutText, cutTextEnd } from './text/cut-text.ts';
export { readChunks } from './text/text-chunk.ts';

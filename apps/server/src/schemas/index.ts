export type { Answer } from './answer.ts';
export {
  type CheckpointEntry,
  checkpointEntryOf,
  checkpointEntrySchema,
} from './checkpoint-entry.ts';
export {
  type CompactionEntry,
  compactionEntryOf,
  compactionEntrySchema,
} from './compaction-entry.ts';
export {
  agentFactEntryOf,
  type FactEntry,
  factEntrySchema,
  sessionFactEntryOf,
} from './fact-entry.ts';
export { type ItemEntry, itemEntryOf, itemEntrySchema } from './item-entry.ts';
export { type LogEntry, logEntryOf, logEntrySchema } from './log-entry.ts';
export { type PointerEntry, pointerEntryOf, pointerEntrySchema } from './pointer-entry.ts';
export { type SearchHitEntry, searchHitEntryOf, searchHitEntrySchema } from './search-hit-entry.ts';
export {
  type ExplainedPlace,
  type SegmentEntry,
  segmentEntryOf,
  segmentEntrySchema,
  segmentMembers,
} from './segment-entry.ts';
export { type SessionEntry, sessionEntryOf, sessionEntrySchema } from './session-entry.ts';
export { type TaskEntry, taskEntryOf, taskEntrySchema } from './task-entry.ts';
export { verifySummarySchema } from './verify-entry.ts';

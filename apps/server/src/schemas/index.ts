export type { Answer } from './answer.ts';
export {
  type CheckpointEntry,
  checkpointEntryOf,
  checkpointEntrySchema,
} from './checkpoint-entry.ts';
export { compactionEntryOf, compactionEntrySchema } from './compaction-entry.ts';
export {
  agentFactEntryOf,
  type FactEntry,
  factEntrySchema,
  sessionFactEntryOf,
} from './fact-entry.ts';
export { type ItemEntry, itemEntryOf, itemEntrySchema } from './item-entry.ts';
export { logEntryOf, logEntrySchema } from './log-entry.ts';
export { pointerEntryOf, pointerEntrySchema } from './pointer-entry.ts';
export { searchHitEntryOf, searchHitEntrySchema } from './search-hit-entry.ts';
export { segmentEntryOf, segmentMembers } from './segment-entry.ts';
export { sessionEntryOf, sessionEntrySchema } from './session-entry.ts';
export { type TaskEntry, taskEntryOf, taskEntrySchema } from './task-entry.ts';
export { verifySummarySchema } from './verify-entry.ts';

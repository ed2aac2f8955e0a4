import { checkpointEntryOf, checkpointEntrySchema } from './checkpoint-entry.ts';
import { compactionEntryOf, compactionEntrySchema } from './compaction-entry.ts';
import { agentFactEntryOf, factEntrySchema, sessionFactEntryOf } from './fact-entry.ts';
import { itemEntryOf, itemEntrySchema } from './item-entry.ts';
import { logEntryOf, logEntrySchema } from './log-entry.ts';
import { pointerEntryOf, pointerEntrySchema } from './pointer-entry.ts';
import { searchHitEntryOf, searchHitEntrySchema, searchMatchSchema } from './search-hit-entry.ts';
import { segmentEntryOf, segmentMembers } from './segment-entry.ts';
import { sessionEntryOf, sessionEntrySchema } from './session-entry.ts';
import { taskEntryOf, taskEntrySchema } from './task-entry.ts';
import { verifySummarySchema } from './verify-entry.ts';

/** The schemas of what answers list, by kind. */
export const entrySchemas = {
  checkpoint: checkpointEntrySchema,
  compaction: compactionEntrySchema,
  fact: factEntrySchema,
  item: itemEntrySchema,
  log: logEntrySchema,
  pointer: pointerEntrySchema,
  searchHit: searchHitEntrySchema,
  searchMatch: searchMatchSchema,
  segmentMembers,
  session: sessionEntrySchema,
  task: taskEntrySchema,
  verifySummary: verifySummarySchema,
} as const;

/** Builds the entry of an answer from what the store returns, by kind. */
export const entryOf = {
  agentFact: agentFactEntryOf,
  checkpoint: checkpointEntryOf,
  compaction: compactionEntryOf,
  item: itemEntryOf,
  log: logEntryOf,
  pointer: pointerEntryOf,
  searchHit: searchHitEntryOf,
  segment: segmentEntryOf,
  session: sessionEntryOf,
  sessionFact: sessionFactEntryOf,
  task: taskEntryOf,
} as const;

import {
  checkpointEntryOf,
  checkpointEntrySchema,
  restoredOf,
  restoredSchema,
} from './checkpoint-entry.ts';
import { compactionEntryOf, compactionEntrySchema } from './compaction-entry.ts';
import {
  factEntrySchema,
  forgottenSchema,
  memoryFactEntryOf,
  sessionFactEntryOf,
} from './fact-entry.ts';
import { itemEntryOf, itemEntrySchema } from './item-entry.ts';
import { keyEntryOf, keyEntrySchema } from './key-entry.ts';
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
  forgotten: forgottenSchema,
  item: itemEntrySchema,
  key: keyEntrySchema,
  log: logEntrySchema,
  pointer: pointerEntrySchema,
  restored: restoredSchema,
  searchHit: searchHitEntrySchema,
  searchMatch: searchMatchSchema,
  segmentMembers,
  session: sessionEntrySchema,
  task: taskEntrySchema,
  verifySummary: verifySummarySchema,
} as const;

/** Builds the entry of an answer from what the store returns, by kind. */
export const entryOf = {
  checkpoint: checkpointEntryOf,
  compaction: compactionEntryOf,
  item: itemEntryOf,
  key: keyEntryOf,
  log: logEntryOf,
  memoryFact: memoryFactEntryOf,
  pointer: pointerEntryOf,
  restored: restoredOf,
  searchHit: searchHitEntryOf,
  segment: segmentEntryOf,
  session: sessionEntryOf,
  sessionFact: sessionFactEntryOf,
  task: taskEntryOf,
} as const;

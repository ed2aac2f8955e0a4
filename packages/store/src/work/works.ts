import { claimBatch, hasBatches } from './claim-batch.ts';
import { listWorks, noteVersion, workEnd, workNote } from './open-works.ts';
import { batchesOf, claimMs } from './work-place.ts';

/** Work that several processes share: it is noted in the registry, its batches are claimed one by one, and its note goes when it ends. */
export const works = {
  note: workNote,
  end: workEnd,
  list: listWorks,
  noteVersion,
  batchesOf,
  claim: claimBatch,
  hasBatches,
  claimMs,
} as const;

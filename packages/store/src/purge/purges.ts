import { checkScope, planPurge } from './plan-purge.ts';
import { beginPurge, listPurges, purgeCounts, purgeProgress, readPurge } from './purge-record.ts';
import { countedAs } from './purge-step.ts';
import { workOnPurge } from './work-on-purge.ts';

/**
 * Purges of a tenant's records: `begin` writes one down, any process works on it with `work`, and the others tell how far it is.
 * `plan` finds what a purge would destroy and writes nothing.
 */
export const purges = {
  plan: planPurge,
  checkScope,
  begin: beginPurge,
  list: listPurges,
  read: readPurge,
  progress: purgeProgress,
  counts: purgeCounts,
  countedAs,
  work: workOnPurge,
} as const;

import { countPlan } from './count-plan.ts';
import { checkScope, planPurge } from './plan-purge.ts';
import { beginPurge, listPurges, purgeProgress, readPurge } from './purge-record.ts';
import { leftOf, sumPlans, unfinishedIn } from './unfinished.ts';
import { workOnPurge } from './work-on-purge.ts';

/**
 * Purges of a tenant's records: `begin` writes one down, any process works on it with `work`, and the others tell how far it is.
 * `plan` and `count` find what a purge would destroy and write nothing; `unfinished` lists those that were cut off, `left` counts what
 * one of them still has to destroy.
 */
export const purges = {
  plan: planPurge,
  checkScope,
  begin: beginPurge,
  list: listPurges,
  read: readPurge,
  progress: purgeProgress,
  count: countPlan,
  unfinished: unfinishedIn,
  left: leftOf,
  sum: sumPlans,
  work: workOnPurge,
} as const;

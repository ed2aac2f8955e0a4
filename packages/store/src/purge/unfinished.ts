import { countPlan, type PurgeCounts } from './count-plan.ts';
import type { PurgePlace } from './plan-parts.ts';
import { listPurges, type PurgeRecord, purgeCounts } from './purge-record.ts';
import type { PurgeScope } from './purge-scope.ts';

/** What an unfinished purge still has to destroy. */
export async function leftOf(
  { backend, tenant }: PurgePlace,
  { id, stage, scope }: UnfinishedPurge,
): Promise<PurgeCounts> {
  if (stage === 'planning') return countPlan(backend, { tenant, scope });
  const sessions = 'sessions' in scope ? scope.sessions : [];
  return { sessions, counts: await purgeCounts({ backend, tenant }, id), forks: [] };
}

/** A purge that goes on or was cut off, and whose scope can be read. */
export type UnfinishedPurge = PurgeRecord & { readonly scope: PurgeScope };

/** The purges that go on or were cut off, the first one first. */
export async function unfinishedIn(place: PurgePlace): Promise<UnfinishedPurge[]> {
  const listed = await listPurges(place);
  return listed.flatMap((purge) => {
    const { scope, stage } = purge;
    return scope === undefined || stage === 'ended' ? [] : [{ ...purge, scope }];
  });
}

/** What several plans destroy together. */
export function sumPlans(plans: readonly PurgeCounts[]): PurgeCounts {
  const counts: Record<string, number> = {};
  for (const [name, records] of plans.flatMap((plan) => Object.entries(plan.counts))) {
    counts[name] = (counts[name] ?? 0) + records;
  }
  const sessions = new Set(plans.flatMap((plan) => plan.sessions));
  const forks = new Set(plans.flatMap((plan) => plan.forks));
  return { sessions: [...sessions], counts, forks: [...forks] };
}

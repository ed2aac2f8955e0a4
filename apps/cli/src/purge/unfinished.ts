import { type PurgeRecord, type PurgeScope, purges } from '@ctx/store';
import { countPlan, type PlanCounts } from './count-plan.ts';
import type { OpenedStore } from './work-off.ts';

/** What an unfinished purge still has to destroy. */
export async function leftOf(
  { backend, store: { tenant } }: OpenedStore,
  { id, stage, scope }: UnfinishedPurge,
): Promise<PlanCounts> {
  if (stage === 'planning') return countPlan(backend, { tenant, scope });
  const sessions = 'sessions' in scope ? scope.sessions : [];
  return { sessions, counts: await purges.counts({ backend, tenant }, id), forks: [] };
}

/** A purge that goes on or was cut off, and whose scope can be read. */
export type UnfinishedPurge = PurgeRecord & { readonly scope: PurgeScope };

/** The purges that go on or were cut off, the first one first. */
export async function unfinishedIn({ backend, store }: OpenedStore): Promise<UnfinishedPurge[]> {
  const listed = await purges.list({ backend, tenant: store.tenant });
  return listed.flatMap((purge) => {
    const { scope, stage } = purge;
    return scope === undefined || stage === 'ended' ? [] : [{ ...purge, scope }];
  });
}

/** What several plans destroy together. */
export function joined(plans: readonly PlanCounts[]): PlanCounts {
  const counts: Record<string, number> = {};
  for (const [name, records] of plans.flatMap((plan) => Object.entries(plan.counts))) {
    counts[name] = (counts[name] ?? 0) + records;
  }
  const sessions = new Set(plans.flatMap((plan) => plan.sessions));
  const forks = new Set(plans.flatMap((plan) => plan.forks));
  return { sessions: [...sessions], counts, forks: [...forks] };
}

import { type ContextStore, type OpenWork, purges, type WorkPlace, works } from '@ctx/store';
import { helpRetention } from './retain-outputs.ts';

/** What this process did of a work that others may be at, too. */
export interface SharedWork {
  readonly tenant: string;
  readonly workId: string;
  readonly kind: OpenWork['kind'];
  readonly records: number;
  readonly batches: number;
  /** Whether nothing of it is left. */
  readonly isEnded: boolean;
  /** What stopped it: the others are worked on all the same. */
  readonly error?: unknown;
}

/** Where works of all tenants are. */
export interface WorksPlace extends Omit<WorkPlace, 'tenant'> {
  /** Opens the store of a tenant. */
  readonly open: (tenant: string) => Promise<ContextStore>;
  /** Asked between batches. */
  readonly shouldStop: () => boolean;
}

type Done = Pick<SharedWork, 'records' | 'batches' | 'isEnded'>;

async function workOn(
  { open, shouldStop, ...place }: WorksPlace,
  { tenant, workId, kind }: OpenWork,
): Promise<Done> {
  if (kind === 'purge') {
    const done = await purges.work({ ...place, tenant }, workId, { shouldStop });
    return { records: done.records, batches: done.batches, isEnded: done.state === 'ended' };
  }
  const { outputs } = await open(tenant);
  const done = await helpRetention({ ...place, tenant, outputs }, shouldStop);
  return { records: done.deleted, batches: done.batches, isEnded: done.state === 'ended' };
}

/**
 * Works on whatever works of any tenant have not ended: purges that were begun, outputs that retention deletes.
 * What others are at is left to them. Costs one look where there is nothing to do.
 */
export async function shareWorks(place: WorksPlace): Promise<SharedWork[]> {
  const shared: SharedWork[] = [];
  for (const work of await works.list(place.backend)) {
    if (place.shouldStop()) break;
    try {
      shared.push({ ...work, ...(await workOn(place, work)) });
    } catch (error) {
      shared.push({ ...work, records: 0, batches: 0, isEnded: false, error });
    }
  }
  return shared;
}

import type { Clock } from '../host/clock.ts';
import { accessCollection } from '../store/collection-access.ts';
import { registryTenant } from '../store/collections.ts';
import type { StoreBackend } from '../store/store-backend.ts';
import { openWorksCollection } from '../store/work-collections.ts';

/** What kind of work several processes share. */
export type WorkKind = 'purge' | 'retention';

/** A work that has not ended. */
export interface OpenWork {
  readonly tenant: string;
  readonly workId: string;
  readonly kind: WorkKind;
}

const kinds: readonly WorkKind[] = ['purge', 'retention'];

/** Lets every process that looks for works find this one. Contract: call it before the work begins; it outlives a power cut. */
export async function noteWork(
  backend: StoreBackend,
  { tenant, workId, kind }: OpenWork,
  clock: Clock,
): Promise<void> {
  const works = accessCollection(backend, openWorksCollection, registryTenant);
  const columns = { kind, began_at: clock() };
  const put = works.put({ key: [tenant, workId], columns, body: '{}' });
  await backend.write([put], { durability: 'power' });
}

/** Says that a work has ended. */
export async function forgetWork(
  backend: StoreBackend,
  { tenant, workId }: Pick<OpenWork, 'tenant' | 'workId'>,
): Promise<void> {
  const works = accessCollection(backend, openWorksCollection, registryTenant);
  await backend.write([works.remove({ key: [tenant, workId] })]);
}

/** The works of all tenants that have not ended. Cost: one part of an index, which is empty nearly always. */
export async function listWorks(backend: StoreBackend): Promise<OpenWork[]> {
  const works = accessCollection(backend, openWorksCollection, registryTenant);
  const found: OpenWork[] = [];
  for await (const { key, columns } of works.scan({ index: 'key', part: 'columns' })) {
    const kind = kinds.find((one) => one === columns['kind']);
    if (kind !== undefined) found.push({ tenant: key[0] ?? '', workId: key[1] ?? '', kind });
  }
  return found;
}

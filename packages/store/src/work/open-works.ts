import type { DeleteOperation, PutOperation, StoreBackend } from '../backend/store-backend.ts';
import { registryTenant } from '../collections/collections.ts';
import { openWorksCollection } from '../collections/work-collections.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';

/** What kind of work several processes share. */
export type WorkKind = 'purge' | 'retention';

/** A work that has not ended. */
export interface OpenWork {
  readonly tenant: string;
  readonly workId: string;
  readonly kind: WorkKind;
}

const kinds: readonly WorkKind[] = ['purge', 'retention'];

/** Where works are noted. Costs nothing. */
function worksOf(backend: StoreBackend): CollectionAccess {
  return accessCollection(backend, openWorksCollection, registryTenant);
}

/** Lets every process that looks for works find this one: belongs to the write that begins it. */
export function workNote(
  backend: StoreBackend,
  { tenant, workId, kind }: OpenWork,
  now: number,
): PutOperation {
  const columns = { kind, began_at: now };
  return worksOf(backend).put({ key: [tenant, workId], columns, body: '{}' });
}

/** Says that a work has ended: belongs to the write that ends it. */
export function workEnd(
  backend: StoreBackend,
  { tenant, workId }: Pick<OpenWork, 'tenant' | 'workId'>,
): DeleteOperation {
  return worksOf(backend).remove({ key: [tenant, workId] });
}

/** The version of a note; 0 where there is none. Reads one record's columns. */
export async function noteVersion(
  backend: StoreBackend,
  { tenant, workId }: Pick<OpenWork, 'tenant' | 'workId'>,
): Promise<number> {
  return (await worksOf(backend).get([tenant, workId], 'columns'))?.version ?? 0;
}

/** The works of all tenants that have not ended. Reads one part of an index, which is empty nearly always. */
export async function listWorks(backend: StoreBackend): Promise<OpenWork[]> {
  const found: OpenWork[] = [];
  for await (const { key, columns } of worksOf(backend).scan({ index: 'key', part: 'columns' })) {
    const kind = kinds.find((one) => one === columns['kind']);
    if (kind !== undefined) found.push({ tenant: key[0] ?? '', workId: key[1] ?? '', kind });
  }
  return found;
}

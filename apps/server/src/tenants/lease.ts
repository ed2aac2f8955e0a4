import type { Clock } from '@ctx/core';
import { isCtxError } from '@ctx/core';
import { accessCollection, collections } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';

/** Where leases are kept. */
export interface LeasePlace {
  readonly backend: StoreBackend;
  readonly tenant: string;
  readonly clock: Clock;
}

/** Which work, and how it is shared. */
export interface LeaseWish {
  readonly name: string;
  /** Whoever gave no sign for so long counts as gone, ms. More than the clocks of two machines differ. */
  readonly silenceMs: number;
  /** Nobody takes it again for so long after it was done, ms. */
  readonly restMs: number;
}

/** A work that this process alone does now. */
export interface Lease {
  /** Gives the sign that it goes on. False where another process has taken it over: then no more of it may be done. */
  renew(): Promise<boolean>;
  /** Says that it is done. */
  end(): Promise<void>;
}

/** No key of a caller: the record is the server's own. */
const ownKey = '';
const done = 200;

/**
 * Takes a work that several processes share, if no other has it or did it a short while ago; else `undefined`.
 * Of those that try at the same moment one gets it; one that died loses it after `silenceMs`. Costs a read and a write.
 */
export async function takeLease(
  { backend, tenant, clock }: LeasePlace,
  { name, silenceMs, restMs }: LeaseWish,
): Promise<Lease | undefined> {
  const collection = accessCollection(backend, collections.idempotency, tenant);
  const key = [ownKey, `lease ${name}`];
  const found = await collection.get(key, 'columns');
  let version = found?.version ?? 0;
  /** Whether no other process has written it meanwhile. */
  const put = async (status: number | null): Promise<boolean> => {
    const columns = { created_at: clock(), request_hash: '', status };
    try {
      await backend.write([collection.put({ key, columns, body: '{}', expectVersion: version })]);
      version += 1;
      return true;
    } catch (error) {
      if (isCtxError(error, 'CTX_STORE_CONFLICT')) return false;
      throw error;
    }
  };
  if (found !== undefined) {
    const age = clock() - Number(found.columns['created_at']);
    if (age < (found.columns['status'] === null ? silenceMs : restMs)) return undefined;
  }
  if (!(await put(null))) return undefined;
  return {
    renew: () => put(null),
    end: async () => {
      await put(done);
    },
  };
}

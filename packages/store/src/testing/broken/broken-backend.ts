import {
  createMemoryPlace,
  type MemoryPlace,
  memoryBackend,
} from '../../backend/memory/memory-backend.ts';
import type {
  ScanQuery,
  StoreBackend,
  StoredRecord,
  WriteOperation,
} from '../../backend/store-backend.ts';
import type { BackendMaker } from '../run-case.ts';

/** A backend with one planted defect. The kit is only worth what it finds here. */
export interface BrokenBackend {
  readonly defect: string;
  /** The case that must fail. */
  readonly caughtBy: string;
  readonly create: BackendMaker['create'];
}

/** The memory backend as if it were durable and shared: one store for each place. It passes every case. */
export function durableMemory(): (context: { readonly place: string }) => StoreBackend {
  const places = new Map<string, MemoryPlace>();
  return ({ place }) => {
    const records = places.get(place) ?? createMemoryPlace();
    places.set(place, records);
    const backend = memoryBackend({ place: records });
    return {
      ...backend,
      supports: { ...backend.supports, durable: true, sharedBetweenProcesses: true },
    };
  };
}

/** The calls that a defect replaces. */
export type Defect = (inner: StoreBackend) => Partial<StoreBackend>;

/** The memory backend with a defect. */
export function broken(defect: string, caughtBy: string, plant: Defect): BrokenBackend {
  const create = durableMemory();
  return {
    defect,
    caughtBy,
    create: (context) => {
      const inner = create(context);
      return { ...inner, ...plant(inner) };
    },
  };
}

/** Defects of `scan` that lie in the query alone. */
export function brokenQueries(
  defect: string,
  caughtBy: string,
  change: (query: ScanQuery) => ScanQuery,
): BrokenBackend {
  return broken(defect, caughtBy, (inner) => ({ scan: (query) => inner.scan(change(query)) }));
}

/** Defects of what reads give. */
export function brokenRecords(
  defect: string,
  caughtBy: string,
  change: (record: StoredRecord) => StoredRecord,
): BrokenBackend {
  return broken(defect, caughtBy, (inner) => ({
    get: async (...request) => {
      const found = await inner.get(...request);
      return found.map((record) => record && change(record));
    },
    async *scan(query) {
      for await (const record of inner.scan(query)) yield change(record);
    },
  }));
}

export function patchesAsPuts(inner: StoreBackend): Partial<StoreBackend> {
  const asPut = async (operation: WriteOperation): Promise<WriteOperation> => {
    if (operation.type !== 'patch') return operation;
    const [before] = await inner.get(operation.collection, [operation.key]);
    if (before === undefined) return operation;
    const columns = { ...before.columns, ...operation.columns };
    return { ...operation, type: 'put', columns, body: '{}' };
  };
  return {
    write: async (operations) => inner.write(await Promise.all(operations.map(asPut))),
  };
}

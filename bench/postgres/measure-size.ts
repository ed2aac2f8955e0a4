import {
  type ContextStore,
  defaultImportancePolicy,
  openStore,
  rankAt,
  type StoreBackend,
  storeCollections,
} from '@ctx/core';
import { postgresBackend } from '@ctx/store-postgres';
import { benchAgent, kindOf } from '../items/fill-items.ts';
import { type Timing, timeInTurn } from '../stores/timing.ts';
import {
  type FillPlace,
  fillTenants,
  makePlainTable,
  sizesOf,
  tenantName,
} from './fill-tenants.ts';

/** A call of ctx beside plain SQL through the same driver, on the same server. */
export interface Compared {
  readonly ctx: Timing;
  readonly raw: Timing;
}

/** What is measured at one size. */
export interface SizeReport {
  readonly items: number;
  readonly tenants: number;
  readonly fillSeconds: number;
  readonly timings: Readonly<Record<string, Compared>>;
  /** Bytes of the table's rows and of each index. */
  readonly bytes: Readonly<Record<string, number>>;
}

/** One size, in a schema that may hold smaller ones already. */
export interface MeasureSize extends FillPlace {
  readonly tenants: number;
  readonly itemsInTenant: number;
  readonly times: number;
}

/** The moment of all that is measured. */
export const benchNow: number = Date.UTC(2026, 5, 1);
const measuredTenants = 100;

/** The least SQL for a page of HOT items, a peek and a save; the save goes into a table with the same columns that matter. */
function plainSql({ pool, schema }: FillPlace) {
  const hot = `SELECT item_id, kind, rank, tokens, _body FROM "${schema}".items
    WHERE tenant = $1 AND agent_id = $2 AND archived = 0 AND rank >= $3 ORDER BY rank DESC, item_id DESC LIMIT 101`;
  const one = `SELECT * FROM "${schema}".items WHERE tenant = $1 AND agent_id = $2 AND item_id = $3`;
  const save = `INSERT INTO "${schema}".plain_items (tenant, agent_id, item_id, kind, rank, tokens, body) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
  const border =
    Math.log(defaultImportancePolicy.hotFrom) + rankAt(1, benchNow, defaultImportancePolicy);
  return {
    hot: (tenant: string) => pool.query(hot, [tenant, benchAgent, border]),
    get: (tenant: string, id: string) => pool.query(one, [tenant, benchAgent, id]),
    save: (tenant: string, id: string, content: string) =>
      pool.query(save, [tenant, benchAgent, id, 'CODE', 1, 10, content]),
  };
}

/** A tenant that is measured. */
export interface Measured {
  readonly tenant: string;
  readonly store: ContextStore;
}

/** Stores of tenants from all over, on one backend. */
export function openStores(backend: StoreBackend, tenants: number): Promise<Measured[]> {
  const shared = { ...backend, open: () => Promise.resolve(), close: () => Promise.resolve() };
  const count = Math.min(tenants, measuredTenants);
  const names = Array.from({ length: count }, (_, at) =>
    tenantName(Math.floor((at * tenants) / count)),
  );
  return Promise.all(
    names.map(async (tenant) => ({
      tenant,
      store: await openStore(shared, { tenant, clock: () => benchNow }),
    })),
  );
}

/** Fills up to one size and measures there. */
export async function measureSize(given: MeasureSize): Promise<SizeReport> {
  const { url, schema, tenants, itemsInTenant, times } = given;
  await makePlainTable(given);
  const fillSeconds = await fillTenants(given, { tenants, itemsInTenant, now: benchNow });
  const bytes = await sizesOf(given);
  const plain = plainSql(given);
  const backend = postgresBackend({ url, schema });
  await backend.open(storeCollections);
  const measured = await openStores(backend, tenants);
  const at = (index: number): Measured => {
    const found = measured[index % measured.length];
    if (found === undefined) throw new Error('there is no store');
    return found;
  };
  const run = String(Date.now());
  const idAt = (index: number): string => `item-${String((index * 7919) % itemsInTenant)}`;
  const content = (index: number): string => `const answer${String(index)} = compute(input);`;
  const timings = await timeTwins(times, {
    'HOT page, 100': {
      ctx: (index) => at(index).store.items.inTier(benchAgent, 'hot', { limit: 100 }),
      raw: (index) => plain.hot(at(index).tenant),
    },
    'get, a peek': {
      ctx: (index) => at(index).store.items.get(benchAgent, idAt(index), { peek: true }),
      raw: (index) => plain.get(at(index).tenant, idAt(index)),
    },
    'save, durable': {
      ctx: (index) =>
        at(index).store.items.save({
          agentId: benchAgent,
          kind: kindOf(index),
          content: content(index),
        }),
      raw: (index) => plain.save(at(index).tenant, `raw-${run}-${String(index)}`, content(index)),
    },
  });
  await backend.close();
  return { items: tenants * itemsInTenant, tenants, fillSeconds, timings, bytes };
}

type Twin = Readonly<Record<'ctx' | 'raw', (index: number) => unknown>>;

async function timeTwins(
  times: number,
  twins: Readonly<Record<string, Twin>>,
): Promise<Record<string, Compared>> {
  const timings: Record<string, Compared> = {};
  for (const [name, twin] of Object.entries(twins)) timings[name] = await timeInTurn(times, twin);
  return timings;
}

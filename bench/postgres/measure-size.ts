import { defaultImportancePolicy, tierBorder } from '@ctx/core';
import { type ContextStore, openStore, storeCollections } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
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
import { leanSql, sameSql } from './sql-by-hand.ts';

/** A call of ctx beside SQL by hand through the same driver, on the same server. */
export interface Compared {
  readonly ctx: Timing;
  /** The least that a program without ctx would send: some columns, a lean table. */
  readonly lean: Timing;
  /** SQL by hand that reads and keeps what ctx does: all columns, the words, the same table and indexes. */
  readonly same: Timing;
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
/** The rank from which items are HOT then. */
const hotBorder = tierBorder('hot', benchNow, defaultImportancePolicy);

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
  const place = { ...given, agentId: benchAgent, border: hotBorder };
  const [lean, same] = [leanSql(place), await sameSql(place)];
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
      lean: (index) => lean.hot(at(index).tenant),
      same: (index) => same.hot(at(index).tenant),
    },
    'get, a peek': {
      ctx: (index) => at(index).store.items.get(benchAgent, idAt(index), { peek: true }),
      lean: (index) => lean.get(at(index).tenant, idAt(index)),
      same: (index) => same.get(at(index).tenant, idAt(index)),
    },
    'save, durable': {
      ctx: (index) =>
        at(index).store.items.save({
          agentId: benchAgent,
          kind: kindOf(index),
          content: content(index),
        }),
      lean: (index) => lean.save(at(index).tenant, `lean-${run}-${String(index)}`, content(index)),
      same: (index) => same.save(at(index).tenant, `same-${run}-${String(index)}`, content(index)),
    },
  });
  await backend.close();
  return { items: tenants * itemsInTenant, tenants, fillSeconds, timings, bytes };
}

type Twin = Readonly<Record<keyof Compared, (index: number) => unknown>>;

async function timeTwins(
  times: number,
  twins: Readonly<Record<string, Twin>>,
): Promise<Record<string, Compared>> {
  const timings: Record<string, Compared> = {};
  for (const [name, twin] of Object.entries(twins)) timings[name] = await timeInTurn(times, twin);
  return timings;
}

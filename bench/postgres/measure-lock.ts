import { storeCollections } from '@ctx/store';
import { lockPostgresTenants, postgresBackend } from '@ctx/store-postgres';
import { benchAgent, kindOf } from '../items/fill-items.ts';
import { type Timing, timeEach } from '../stores/timing.ts';
import { type FillPlace, fillTenants, makePlainTable } from './fill-tenants.ts';
import { benchNow, type MeasureSize, openStores } from './measure-size.ts';

/** A call without and with the lock on tenants. */
export interface LockCost {
  readonly open: Timing;
  readonly locked: Timing;
}

/** Blocks of calls without and with the lock, in turn. */
const rounds = 4;

type Names = 'HOT page, 100' | 'get, a peek' | 'save, durable' | 'search, one word';

async function measureBlock(
  { url, schema, tenants, itemsInTenant, times }: MeasureSize,
  round: number,
): Promise<Record<Names, Timing>> {
  const backend = postgresBackend({ url, schema });
  await backend.open(storeCollections);
  const measured = await openStores(backend, tenants);
  const at = (index: number) => {
    const found = measured[index % measured.length];
    if (found === undefined) throw new Error('there is no store');
    return found.store.items;
  };
  const idAt = (index: number): string => `item-${String((index * 7919) % itemsInTenant)}`;
  const timings = {
    'HOT page, 100': await timeEach(times, (index) =>
      at(index).inTier(benchAgent, 'hot', { limit: 100 }),
    ),
    'get, a peek': await timeEach(times, (index) =>
      at(index).get(benchAgent, idAt(index), { peek: true }),
    ),
    'save, durable': await timeEach(times, (index) =>
      at(index).save({
        ...{ agentId: benchAgent, kind: kindOf(index) },
        content: `const locked${String(round)} = ${String(index)};`,
      }),
    ),
    'search, one word': await timeEach(times, (index) =>
      at(index).search(benchAgent, {
        ...{ text: String((index * 7919) % itemsInTenant), limit: 10, peek: true },
      }),
    ),
  };
  await backend.close();
  return timings;
}

function middleOf(timings: readonly Timing[]): Timing {
  const middle = (values: readonly number[]): number =>
    [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
  return { p50: middle(timings.map(({ p50 }) => p50)), p99: middle(timings.map(({ p99 }) => p99)) };
}

/**
 * What the lock costs: the same calls without and with it, in blocks that take turns; the middle of the blocks.
 * The user of `url` is one whom the lock holds, and may make a schema.
 */
export async function measureLock(given: MeasureSize): Promise<Record<string, LockCost>> {
  const place: FillPlace = given;
  await makePlainTable(place);
  const { tenants, itemsInTenant, url, schema } = given;
  await fillTenants(place, { tenants, itemsInTenant, now: benchNow });
  const blocks: Record<'open' | 'locked', Record<string, Timing>[]> = { open: [], locked: [] };
  for (let round = 0; round < 2 * rounds; round += 1) {
    const isLocked = round % 2 === 1;
    const { isBypassed } = await lockPostgresTenants({ url, schema, isLocked });
    if (isBypassed) throw new Error('this user passes every lock: name another one');
    blocks[isLocked ? 'locked' : 'open'].push(await measureBlock(given, round));
  }
  await lockPostgresTenants({ url, schema, isLocked: false });
  const names = Object.keys(blocks.open[0] ?? {});
  const of = (kind: 'open' | 'locked', name: string): Timing =>
    middleOf(blocks[kind].flatMap((block) => block[name] ?? []));
  return Object.fromEntries(
    names.map((name) => [name, { open: of('open', name), locked: of('locked', name) }]),
  );
}

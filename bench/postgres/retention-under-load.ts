import { setTimeout as wait } from 'node:timers/promises';
import { openStore, storeCollections } from '@ctx/store';
import { postgresBackend } from '@ctx/store-postgres';
import { largeTenant } from './fill-outputs.ts';
import { type FillPlace, tenantName } from './fill-tenants.ts';

const writers = 24;
/** How long the writers write without retention, to compare, ms. */
const aloneMs = 5000;

interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

function rateOf(times: readonly number[], seconds: number): Rate {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

/** Deletes half of the large tenant's outputs while others write, then vacuums. */
export async function retainUnderLoad({ url, schema, pool }: FillPlace) {
  const backend = postgresBackend({ url, schema, maxConnections: 12 });
  await backend.open(storeCollections);
  const shared = { ...backend, open: () => Promise.resolve(), close: () => Promise.resolve() };
  const store = await openStore(shared, { tenant: largeTenant });
  let [isOver, times] = [false, [] as number[]];
  let written = 0;
  const before = await store.outputs.tally();
  const write = async (writer: number): Promise<void> => {
    // One writer in four writes to the tenant that is cleared.
    const tenant = writer % 4 === 0 ? largeTenant : tenantName(writer);
    const { outputs } = writer % 4 === 0 ? store : await openStore(shared, { tenant });
    for (let count = 0; !isOver; count += 1) {
      const start = performance.now();
      const result = `kept ${String(writer)} ${String(count)} `.repeat(20);
      const sessionId = `w-${String(writer)}`;
      await outputs.save({ sessionId, toolName: 'read', args: { count }, result });
      times.push(performance.now() - start);
      if (writer % 4 === 0) written += 1;
    }
  };
  const running = Array.from({ length: writers }, (_, writer) => write(writer));
  await wait(aloneMs);
  const alone = rateOf(times, aloneMs / 1000);
  times = [];
  const start = performance.now();
  const plan = await store.outputs.planRetention({ maxTotalBytes: Math.floor(before.bytes / 2) });
  const planned = (performance.now() - start) / 1000;
  const receipt = await store.outputs.applyRetention(plan);
  const seconds = (performance.now() - start) / 1000;
  const beside = rateOf(times, seconds);
  isOver = true;
  await Promise.all(running);
  const after = await store.outputs.tally();
  await store.close();
  await backend.close();
  const vacuumStart = performance.now();
  await pool.query(`VACUUM (ANALYZE) "${schema}".outputs`);
  return {
    outputs: before.outputs,
    deleted: receipt.deleted,
    planned,
    seconds,
    alone,
    beside,
    lost: before.outputs + written - receipt.deleted - after.outputs,
    vacuumSeconds: (performance.now() - vacuumStart) / 1000,
  };
}

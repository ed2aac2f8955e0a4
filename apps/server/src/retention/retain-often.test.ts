import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTenants } from '../tenants/open-tenants.ts';
import { retainOften } from './retain-often.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('what is too old leaves every tenant, by whichever of two servers, and stays once that is stopped', async () => {
  const hour = 3_600_000;
  let now = Date.UTC(2026, 0, 1);
  const place = createMemoryPlace();
  const open = () => openTenants(memoryBackend({ place }), { clock: () => now });
  const servers = [await open(), await open()];
  const [first] = servers;
  const leaving = async (tenant: string): Promise<number> => {
    const store = await first?.store(tenant);
    return (await store?.outputs.planRetention({ maxAgeMs: hour }))?.leaving.length ?? -1;
  };
  for (const tenant of ['a', 'b']) {
    const store = await first?.store(tenant);
    await store?.outputs.save({ sessionId: 's', toolName: 'read', args: {}, result: tenant });
  }
  const stops = servers.map((stores) => retainOften(stores, { policy: { maxAgeMs: hour } }));
  now += 2 * hour;
  expect([await leaving('a'), await leaving('b')]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(hour);
  while ((await leaving('a')) + (await leaving('b')) > 0) await new Promise(setImmediate);
  for (const stop of stops) stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('nothing is done where no limit is given', async () => {
  const stores = await openTenants(memoryBackend());
  retainOften(stores, undefined)();
  expect(vi.getTimerCount()).toBe(0);
  await stores.close();
});

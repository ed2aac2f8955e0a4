import { memoryBackend } from '@ctx/store/backend';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultServerLimits } from '../server-options.ts';
import { openTenants } from '../tenants/open-tenants.ts';
import { createLiveHub } from './live-hub.ts';
import { watchTiers } from './watch-tiers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('who watches is told what fell because time passed, and nobody else is worked for', async () => {
  let now = Date.UTC(2026, 0, 1);
  const stores = await openTenants(memoryBackend(), {
    clock: () => now,
    importance: { pauseMs: Number.POSITIVE_INFINITY },
  });
  const hub = createLiveHub(stores, 1_000_000_000);
  const limits = { ...defaultServerLimits, liveTiersMs: 60_000 };
  const stop = watchTiers({ stores, hub, limits });
  const store = await stores.store('t');
  const { item } = await store.items.save({ agentId: 'ada', kind: 'TASK', content: 'port it' });
  await stores.tellTierChanges('t', 0);
  const { newest } = await hub.bounds('t');

  now += 6 * 3_600_000;
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await hub.bounds('t')).newest).toBe(newest);

  const gone = new AbortController();
  const waiting = hub.wait('t', newest, gone.signal);
  await vi.waitFor(() => {
    expect(hub.watched()).toEqual(['t']);
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await waiting;
  expect(await hub.after('t', newest)).toMatchObject([
    { type: 'tier-changed', agentId: 'ada', id: item.id },
  ]);
  stop();
  hub.close();
  await stores.close();
});

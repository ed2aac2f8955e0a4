import { randomIds } from '@ctx/core';
import { purges, storeCollections } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTenants } from '../tenants/open-tenants.ts';
import type { SharedWork } from '../tenants/share-works.ts';
import { shareOften } from './share-often.ts';

const everyMs = 10_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A store with a purge that somebody began and left. */
async function openPlace() {
  const place = createMemoryPlace();
  const stores = await openTenants(memoryBackend({ place }));
  const store = await stores.store('acme');
  await store.events.append('long', [{ type: 'note', payload: 'words' }]);
  const backend = memoryBackend({ place });
  await backend.open(storeCollections);
  const keeping = { backend, tenant: 'acme', clock: Date.now };
  await purges.begin({ ...keeping, ids: randomIds() }, { sessions: ['long'] });
  const stage = async (): Promise<string | undefined> => (await purges.list(keeping))[0]?.stage;
  return { stores, backend, stage };
}

it('a purge that somebody began and left is ended at the next look, and told once, by counts alone', async () => {
  const { stores, stage } = await openPlace();
  const told: SharedWork[] = [];
  const stop = shareOften(stores, everyMs, (work) => told.push(work));
  await vi.advanceTimersByTimeAsync(everyMs - 1);
  expect(await stage()).toBe('planning');
  await vi.advanceTimersByTimeAsync(1);
  while ((await stage()) !== 'ended') await new Promise(setImmediate);
  await stop();
  await vi.advanceTimersByTimeAsync(3 * everyMs);
  // The event of the log, and what was told of it.
  expect(told).toMatchObject([{ kind: 'purge', tenant: 'acme', records: 2, batches: 1 }]);
  expect(vi.getTimerCount()).toBe(0);
  await stores.close();
});

it('a work that cannot be done is told with its error, and the others are done', async () => {
  const { stores, backend, stage } = await openPlace();
  const collection = 'open_works';
  const columns = { kind: 'purge', began_at: 1 };
  const key = ['', 'aaa', 'broken'];
  await backend.write([{ type: 'put', collection, key, columns, body: '{}' }]);
  const put = { type: 'put', collection: 'purges', key: ['aaa', 'broken'] } as const;
  const scope = JSON.stringify({ all: true });
  const planned = { started_at: 1, stage: 'working', records: 1, batches: 1 };
  const batch = { type: 'put', collection: 'work_batches', key: ['aaa', 'broken', '0'] } as const;
  await backend.write([
    { ...put, columns: planned, body: scope },
    { ...batch, columns: { records: 1, claimed_until: 0 }, body: '[]' },
  ]);
  const told: SharedWork[] = [];
  const stop = shareOften(stores, everyMs, (work) => told.push(work));
  await vi.advanceTimersByTimeAsync(everyMs);
  while ((await stage()) !== 'ended') await new Promise(setImmediate);
  await stop();
  expect(told).toMatchObject([
    { tenant: 'aaa', isEnded: false, error: { code: 'CTX_STORE_CORRUPT' } },
    { tenant: 'acme', isEnded: true },
  ]);
  await stores.close();
});

it('nothing is looked for where that is turned off', async () => {
  const { stores, stage } = await openPlace();
  const stop = shareOften(stores, 0, () => undefined);
  expect(vi.getTimerCount()).toBe(0);
  await stop();
  expect(await stage()).toBe('planning');
  await stores.close();
});

import { storeCollections } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { openTenants } from '../tenants/open-tenants.ts';
import {
  type IdempotencyService,
  type IdempotentRequest,
  idempotencyService,
} from './idempotency-service.ts';
import { keepAnswersMs } from './prune-answers.ts';

const request = { keyId: 'k', name: 'n', requestHash: 'h' };
const answer = { status: 201, headers: { etag: '"1"' }, body: '{"a":1}' };

async function openService(): Promise<{
  service: IdempotencyService;
  /** Answers a request that was not answered when it was looked for. */
  keep: (named: IdempotentRequest, version?: number) => Promise<void>;
  later: (ms: number) => void;
  count: () => Promise<number>;
}> {
  const backend = memoryBackend();
  await backend.open(storeCollections);
  let now = 5_000_000;
  const service = idempotencyService(backend, { tenant: 'acme', clock: () => now });
  const query = { collection: 'idempotency', index: 'key', equal: ['acme'] };
  return {
    service,
    keep: (named, version = 0) => backend.write([service.answerPut(named, answer, version)]),
    later: (ms) => (now += ms),
    count: async () => (await backend.tally(query))[0]?.count ?? 0,
  };
}

describe('requests that name themselves', () => {
  it('gives the answer again', async () => {
    const { service, keep } = await openService();
    expect(await service.find(request)).toEqual({ state: 'new', version: 0 });
    await keep(request);
    expect(await service.find(request)).toEqual({ state: 'answered', answer });
  });

  it('lets one of many answers be written', async () => {
    const { keep } = await openService();
    const kept = await Promise.allSettled(Array.from({ length: 20 }, () => keep(request)));
    expect(kept.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('tells another request under the same name from it', async () => {
    const { service, keep } = await openService();
    await keep(request);
    expect(await service.find({ ...request, requestHash: 'other' })).toEqual({ state: 'other' });
  });

  it('keeps the names of callers apart', async () => {
    const { service, keep } = await openService();
    await keep(request);
    expect(await service.find({ ...request, keyId: 'l' })).toEqual({ state: 'new', version: 0 });
  });

  it('forgets after a day', async () => {
    const { service, keep, later } = await openService();
    await keep(request);
    later(keepAnswersMs - 1);
    expect((await service.find(request)).state).toBe('answered');
    later(1);
    expect(await service.find(request)).toEqual({ state: 'new', version: 1 });
    await keep(request, 1);
    expect((await service.find(request)).state).toBe('answered');
  });

  it('does not wait for a server of an older version that claimed the name and died', async () => {
    const { backend, service } = await claimedByOlderVersion();
    expect(await service.find(request)).toEqual({ state: 'new', version: 1 });
    await backend.write([service.answerPut(request, answer, 1)]);
    expect(await service.find(request)).toEqual({ state: 'answered', answer });
  });

  it('deletes what is too old', async () => {
    const { service, keep, later, count } = await openService();
    for (let index = 0; index < 60; index += 1) await keep({ ...request, name: String(index) });
    later(keepAnswersMs);
    for (let index = 0; index < 64; index += 1) await service.find(request);
    expect(await count()).toBe(0);
  });

  it('lets old answers go also where the service is asked for anew with each request', async () => {
    const place = createMemoryPlace();
    let now = 5_000_000;
    const stores = await openTenants(memoryBackend({ place }), { clock: () => now });
    for (let at = 0; at < 100; at += 1) {
      const held = await stores.hold('acme');
      const named = { ...request, name: `old ${String(at)}` };
      await held.commit([stores.idempotency('acme').answerPut(named, answer, 0)]);
    }
    expect(place.collections.get('idempotency')?.records.size).toBe(100);
    now += keepAnswersMs;
    for (let at = 0; at < 64; at += 1) await stores.idempotency('acme').find(request);
    expect(place.collections.get('idempotency')?.records.size).toBe(0);
  });
});

async function claimedByOlderVersion() {
  const backend = memoryBackend();
  await backend.open(storeCollections);
  const service = idempotencyService(backend, { tenant: 'acme', clock: () => 5_000_000 });
  await backend.write([
    {
      type: 'put',
      collection: 'idempotency',
      key: ['acme', request.keyId, request.name],
      columns: { created_at: 5_000_000, request_hash: request.requestHash },
      body: '{}',
    },
  ]);
  return { backend, service };
}

import { storeCollections } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { openTenants } from '../tenants/open-tenants.ts';
import { type IdempotencyService, idempotencyService } from './idempotency-service.ts';
import { keepAnswersMs } from './prune-answers.ts';

async function openService(): Promise<{
  service: IdempotencyService;
  later: (ms: number) => void;
  count: () => Promise<number>;
}> {
  const backend = memoryBackend();
  await backend.open(storeCollections);
  let now = 5_000_000;
  const service = idempotencyService(backend, { tenant: 'acme', clock: () => now });
  const query = { collection: 'idempotency', index: 'key', equal: ['acme'] };
  const count = async (): Promise<number> => (await backend.tally(query))[0]?.count ?? 0;
  return { service, later: (ms) => (now += ms), count };
}

const request = { keyId: 'k', name: 'n', requestHash: 'h' };
const answer = { status: 201, headers: { etag: '"1"' }, body: '{"a":1}' };

describe('requests that name themselves', () => {
  it('gives the answer again', async () => {
    const { service } = await openService();
    expect(await service.claim(request)).toEqual({ state: 'new' });
    await service.keep(request, answer);
    expect(await service.claim(request)).toEqual({ state: 'answered', answer });
  });

  it('gives one of many at the same moment the work', async () => {
    const { service } = await openService();
    const claims = await Promise.all(Array.from({ length: 20 }, () => service.claim(request)));
    const states = claims.map(({ state }) => state);
    expect(states.filter((state) => state === 'new')).toHaveLength(1);
    expect(states.filter((state) => state === 'running')).toHaveLength(19);
  });

  it('tells another request under the same name from it', async () => {
    const { service } = await openService();
    await service.claim(request);
    expect(await service.claim({ ...request, requestHash: 'other' })).toEqual({ state: 'other' });
  });

  it('keeps the names of callers apart', async () => {
    const { service } = await openService();
    await service.claim(request);
    expect(await service.claim({ ...request, keyId: 'l' })).toEqual({ state: 'new' });
  });

  it('may be tried again once it was given back', async () => {
    const { service } = await openService();
    await service.claim(request);
    await service.release(request);
    expect(await service.claim(request)).toEqual({ state: 'new' });
  });

  it('forgets after a day', async () => {
    const { service, later } = await openService();
    await service.claim(request);
    await service.keep(request, answer);
    later(keepAnswersMs - 1);
    expect((await service.claim(request)).state).toBe('answered');
    later(1);
    expect((await service.claim(request)).state).toBe('new');
  });

  it('takes over from a process that died', async () => {
    const { service, later } = await openService();
    await service.claim(request);
    later(5 * 60 * 1000);
    expect((await service.claim(request)).state).toBe('new');
  });

  it('deletes what is too old', async () => {
    const { service, later, count } = await openService();
    for (let index = 0; index < 60; index += 1) {
      await service.claim({ ...request, name: String(index) });
    }
    later(keepAnswersMs);
    for (let index = 0; index < 10; index += 1) {
      await service.claim({ ...request, name: `later ${String(index)}` });
    }
    expect(await count()).toBe(10);
  });

  it('lets old answers go also where the service is asked for anew with each request', async () => {
    const place = createMemoryPlace();
    let now = 5_000_000;
    const stores = await openTenants(memoryBackend({ place }), { clock: () => now });
    const claims = (count: number, kind: string) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          stores.idempotency('acme').claim({ ...request, name: `${kind} ${String(at)}` }),
        ),
      );
    await claims(100, 'old');
    now += keepAnswersMs;
    await claims(64, 'new');
    const store = memoryBackend({ place });
    await store.open(storeCollections);
    const query = { collection: 'idempotency', index: 'key', equal: ['acme'] };
    expect((await store.tally(query))[0]?.count).toBe(64);
  });
});

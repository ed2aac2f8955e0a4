import { createMemoryPlace, memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../test-support/start-server.ts';

const running: RunningServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(options: Parameters<typeof startServer>[0]): Promise<RunningServer> {
  const server = await startServer(options);
  running.push(server);
  return server;
}

async function statuses(server: RunningServer, count: number, path: string, key?: string) {
  const found: number[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    found.push((await server.call(path, key === undefined ? {} : { key })).status);
  }
  return found;
}

const times = (count: number, status: number): number[] =>
  Array.from({ length: count }, () => status);

describe('limits that servers share', () => {
  it('a key has one limit over two servers, and what remains is told', async () => {
    const place = createMemoryPlace();
    const limits = { requestsPerMinute: 20 };
    const one = await start({ backend: memoryBackend({ place }), limits });
    const two = await start({ backend: memoryBackend({ place }), limits });
    const key = await one.key('read');
    const first = await one.call('/v1/stats', { key });
    expect(first.headers.get('x-ratelimit-limit')).toBe('20');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('19');
    expect(await statuses(one, 9, '/v1/stats', key)).toEqual(times(9, 200));
    const later = await statuses(two, 15, '/v1/stats', key);
    expect(later.filter((status) => status === 200)).toHaveLength(10);
    expect(later.slice(10)).toEqual(times(5, 429));
  });

  it('a key with a rate of its own has that one over two servers, beside keys without', async () => {
    const place = createMemoryPlace();
    const limits = { requestsPerMinute: 20 };
    const one = await start({ backend: memoryBackend({ place }), limits });
    const two = await start({ backend: memoryBackend({ place }), limits });
    const few = { tenant: 'default', scope: 'read', requestsPerMinute: 4 } as const;
    const { text: slow } = await one.stores.keys.create(few);
    const { text: fast } = await one.stores.keys.create({ ...few, requestsPerMinute: 40 });
    const first = await one.call('/v1/stats', { key: slow });
    expect(first.headers.get('x-ratelimit-limit')).toBe('4');
    expect(await statuses(two, 5, '/v1/stats', slow)).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses(one, 40, '/v1/stats', fast)).toEqual(times(40, 200));
    expect(await statuses(one, 1, '/v1/stats', fast)).toEqual([429]);
    expect(await statuses(one, 20, '/v1/stats', await one.key('read'))).toEqual(times(20, 200));
    await expect(one.stores.keys.create({ ...few, requestsPerMinute: 0 })).rejects.toMatchObject({
      code: 'CTX_INVALID_INPUT',
    });
  });

  it('a key made over REST has the rate that it was given, at most that of the key that makes it', async () => {
    const server = await start({
      backend: memoryBackend(),
      limits: { requestsPerMinute: 20 },
    });
    const admin = await server.key('admin');
    const make = (requestsPerMinute: number) =>
      server.call('/v1/keys', {
        ...{ key: admin, method: 'POST' },
        body: { scope: 'read', requestsPerMinute },
      });
    const made = await make(4);
    expect(made.status).toBe(201);
    const { text, key } = JSON.parse(made.text) as {
      text: string;
      key: { requestsPerMinute: number };
    };
    expect(key.requestsPerMinute).toBe(4);
    expect(await statuses(server, 5, '/v1/stats', text)).toEqual([200, 200, 200, 200, 429]);
    const refused = await make(21);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('at most its own rate, 20 requests a minute'),
    ]);
    expect((await make(0)).status).toBe(422);
  });

  it('an address that is refused has one limit over two servers', async () => {
    const place = createMemoryPlace();
    const limits = { refusalsPerMinute: 6 };
    const one = await start({ backend: memoryBackend({ place }), limits });
    const two = await start({ backend: memoryBackend({ place }), limits });
    expect(await statuses(one, 4, '/v1/stats', 'ctx_a_b')).toEqual(times(4, 401));
    expect(await statuses(two, 4, '/v1/stats')).toEqual([401, 401, 429, 429]);
  });

  it('what needs no key is limited by its address, in each server alone, also while the store is away', async () => {
    const plain = memoryBackend();
    const state = { isAway: false };
    const look = (): void => {
      if (state.isAway) throw new Error('the store is away');
    };
    const backend: StoreBackend = {
      ...plain,
      get: (...given) => {
        look();
        return plain.get(...given);
      },
      write: (...given) => {
        look();
        return plain.write(...given);
      },
    };
    const server = await start({ backend, limits: { requestsPerMinute: 50 } });
    state.isAway = true;
    expect(await statuses(server, 50, '/healthz')).toEqual(times(50, 200));
    expect(await statuses(server, 2, '/healthz')).toEqual(times(2, 429));
  });
});

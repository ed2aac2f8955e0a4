import { collections, type RetentionPolicy, works } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { hour, openServers, policy } from '../test-support/several-servers.ts';
import { takeLease } from './lease.ts';
import { openTenants, type TenantStores } from './open-tenants.ts';

describe('retention by several servers', () => {
  it('lets go what is too old, once, however many work at the same moment', async () => {
    const { servers, state, fill, left } = await openServers(4);
    await fill(450);
    state.now += 2 * hour;
    await fill(3);
    const deleted = await Promise.all(
      servers.map((server) => server.retainOutputs('t', policy, hour)),
    );
    expect(deleted.reduce((sum, one) => sum + one)).toBe(450);
    expect(await left()).toBe(3);
  });

  it('shares the tenants among servers that work at the same moment: each is done once', async () => {
    const { servers, state, fill, left } = await openServers(4);
    const tenants = Array.from({ length: 12 }, (_, at) => `tenant ${String(at)}`);
    for (const tenant of tenants) await fill(30, tenant);
    state.now += 2 * hour;
    const work = async (server: TenantStores): Promise<number[]> => {
      const done: number[] = [];
      for (const tenant of tenants) done.push(await server.retainOutputs(tenant, policy, hour));
      return done;
    };
    const done = await Promise.all(servers.map(work));
    for (const [at, tenant] of tenants.entries()) {
      expect(done.reduce((sum, list) => sum + (list[at] ?? 0), 0)).toBe(30);
      expect(await left(tenant)).toBe(0);
    }
    // Whoever finds a tenant taken goes on with the next: none of them does all of the work.
    expect(done.filter((list) => list.includes(30)).length).toBeGreaterThan(1);
  });

  it('rests after it was done, and keeps tenants apart', async () => {
    const { servers, state, fill, left } = await openServers(2);
    const [one, two] = servers;
    await fill(2);
    expect(await one?.retainOutputs('t', policy, hour)).toBe(0);
    state.now += 2 * hour - 1;
    await fill(1, 'u');
    expect(await two?.retainOutputs('u', policy, hour)).toBe(0);
    expect(await two?.retainOutputs('t', policy, 3 * hour)).toBe(0);
    expect(await two?.retainOutputs('t', policy, hour)).toBe(2);
    expect([await left(), await left('u')]).toEqual([0, 1]);
  });

  it('goes on by another where one is silent in the middle, and what that one wakes up in is done', async () => {
    const { servers, state, fill, left } = await openServers(2);
    await fill(450);
    state.now += 2 * hour;
    const [dying, living] = servers;
    const store = await dying?.store('t');
    if (store === undefined) throw new TypeError('there are two servers');
    // In its first batch it hangs for longer than it may.
    const wakes: (() => void)[] = [];
    let batches = 0;
    const plain = store.outputs.delete.bind(store.outputs);
    Object.assign(store.outputs, {
      delete: async (names: Parameters<typeof plain>[0]) => {
        batches += 1;
        await new Promise<void>((resolve) => wakes.push(resolve));
        return plain(names);
      },
    });
    const late = dying?.retainOutputs('t', policy, hour);
    while (wakes.length === 0) await new Promise(setImmediate);
    // All but what the silent one has claimed.
    const first = (await living?.retainOutputs('t', policy, hour)) ?? 0;
    expect([250, 400]).toContain(first);
    expect(await living?.shareWorks()).toMatchObject([{ records: 0, isEnded: false }]);
    state.now += works.claimMs;
    expect(await living?.shareWorks()).toMatchObject([{ records: 450 - first, isEnded: true }]);
    expect(await left()).toBe(0);
    for (const wake of wakes) wake();
    expect(await late).toBe(0);
    expect(batches).toBe(1);
  });

  it('who ends a plan leaves alone what another has planned meanwhile, though that one died at once', async () => {
    const { place, clock, servers, state, fill, left } = await openServers(1);
    const [planning] = servers;
    await fill(450);
    state.now += 2 * hour;
    let isFirst = true;
    const backend = memoryBackend({ place });
    const ending: TenantStores = await openTenants(
      {
        ...backend,
        write: async (operations, options) => {
          const isEnd = operations.some(
            ({ type, collection }) => type === 'delete' && collection === 'open_works',
          );
          if (isFirst && isEnd) {
            // It was silent for so long that another one took over, ended its plan and began the next.
            isFirst = false;
            await fill(10);
            state.now += 2 * hour;
            const { outputs } = (await planning?.store('t')) ?? {};
            Object.assign(outputs ?? {}, { delete: () => Promise.reject(new TypeError('died')) });
            await expect(planning?.retainOutputs('t', policy, hour)).rejects.toThrow('died');
          }
          return backend.write(operations, options);
        },
      },
      { clock },
    );
    expect(await ending.retainOutputs('t', policy, hour)).toBe(450);
    expect(isFirst).toBe(false);
    state.now += works.claimMs;
    expect(await ending.shareWorks()).toMatchObject([{ records: 10, isEnded: true }]);
    expect(await left()).toBe(0);
  });

  it('what one that died had planned is done before anything is planned anew', async () => {
    const { servers, state, fill, left } = await openServers(2);
    await fill(450);
    state.now += 2 * hour;
    const [dying, living] = servers;
    const store = await dying?.store('t');
    if (store === undefined) throw new TypeError('there are two servers');
    Object.assign(store.outputs, { delete: () => Promise.reject(new TypeError('died')) });
    await expect(dying?.retainOutputs('t', policy, hour)).rejects.toThrow('died');
    expect(await left()).toBe(450);
    state.now += 60_000;
    expect(await living?.shareWorks(() => true)).toEqual([]);
    const { outputs } = (await living?.store('t')) ?? {};
    if (outputs === undefined) throw new TypeError('there are two servers');
    const plain = outputs.planRetention.bind(outputs);
    const plans: number[] = [];
    Object.assign(outputs, {
      planRetention: async (given: RetentionPolicy) => {
        const plan = await plain(given);
        plans.push(plan.leaving.length);
        return plan;
      },
    });
    expect(await living?.retainOutputs('t', policy, hour)).toBe(450);
    expect(plans).toEqual([0]);
    expect(await living?.shareWorks()).toEqual([]);
  });
});

describe('a lease', () => {
  const wish = { name: 'work', silenceMs: 1000, restMs: 5000 };

  async function openPlace() {
    const state = { now: 0 };
    const backend = memoryBackend();
    await backend.open([collections.idempotency]);
    return { place: { backend, tenant: 't', clock: () => state.now }, state };
  }

  it('is had by one of many that want it at the same moment', async () => {
    const { place } = await openPlace();
    const taken = await Promise.all(Array.from({ length: 10 }, () => takeLease(place, wish)));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('is taken over where its owner is silent for too long, who is told so', async () => {
    const { place, state } = await openPlace();
    const first = await takeLease(place, wish);
    state.now += 999;
    expect(await takeLease(place, wish)).toBeUndefined();
    expect(await first?.renew()).toBe(true);
    state.now += 999;
    expect(await takeLease(place, wish)).toBeUndefined();
    state.now += 1;
    const second = await takeLease(place, wish);
    expect(second).toBeDefined();
    expect(await first?.renew()).toBe(false);
    // The end of who lost it ends nothing.
    await first?.end();
    expect(await second?.renew()).toBe(true);
  });

  it('rests once it was ended', async () => {
    const { place, state } = await openPlace();
    await (await takeLease(place, wish))?.end();
    state.now += 4999;
    expect(await takeLease(place, wish)).toBeUndefined();
    state.now += 1;
    expect(await takeLease(place, wish)).toBeDefined();
    expect(await takeLease(place, { ...wish, name: 'other' })).toBeDefined();
  });
});

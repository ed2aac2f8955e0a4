import { type RetentionPolicy } from '@ctx/store';
import { describe, expect, it } from 'vitest';
import { hour, openServers, policy } from '../test-support/several-servers.ts';

describe('retention by several servers', () => {
  it('shares what one of them planned: each batch is done by one of several', async () => {
    const { servers, state, fill, left } = await openServers(3);
    await fill(1000);
    state.now += 2 * hour;
    const [planning, ...helping] = servers;
    const store = await planning?.store('t');
    if (store === undefined) throw new TypeError('there are three servers');
    // It plans, and is slow in its first batch.
    const wakes: (() => void)[] = [];
    const plain = store.outputs.delete.bind(store.outputs);
    Object.assign(store.outputs, {
      delete: async (names: Parameters<typeof plain>[0]) => {
        if (wakes.length === 0) await new Promise<void>((resolve) => wakes.push(resolve));
        return plain(names);
      },
    });
    const planned = planning?.retainOutputs('t', policy, hour);
    while (wakes.length === 0) await new Promise(setImmediate);
    const helped = await Promise.all(helping.map((server) => server.shareWorks()));
    for (const wake of wakes) wake();
    const shares = [...helped.map((works) => works[0]?.records ?? 0), (await planned) ?? 0];
    expect(shares.reduce((sum, one) => sum + one)).toBe(1000);
    expect(shares.at(-1)).toBe(200);
    expect(shares.filter((share) => share > 0).length).toBeGreaterThan(1);
    expect(await left()).toBe(0);
    expect(await planning?.shareWorks()).toEqual([]);
  });

  it('holds the keys of some thousands at once, however many leave', async () => {
    const { first, state, fill, left } = await openServers(1);
    const store = await first.store('t');
    const save = (number: number) => ({
      sessionId: 's',
      toolName: 'read',
      args: {},
      result: String(number),
    });
    for (let from = 0; from < 11_000; from += 1000) {
      await store.outputs.saveAll(Array.from({ length: 1000 }, (_, at) => save(from + at)));
    }
    state.now += 2 * hour;
    await fill(2);
    const plans: number[] = [];
    const plain = store.outputs.planRetention.bind(store.outputs);
    Object.assign(store.outputs, {
      planRetention: async (given: RetentionPolicy) => {
        const plan = await plain(given);
        plans.push(plan.leaving.length);
        return plan;
      },
    });
    expect(await first.retainOutputs('t', policy, hour)).toBe(11_000);
    expect(plans).toEqual([5000, 5000, 1000]);
    Object.assign(store.outputs, { planRetention: plain });
    expect(await left()).toBe(2);
  }, 60_000);
});

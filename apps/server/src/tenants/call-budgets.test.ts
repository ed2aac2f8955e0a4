import { registryTenant } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallBudgets } from './call-budgets.ts';
import { openTenants } from './open-tenants.ts';
import { freeCalls, shareOf } from './plan-share.ts';

const windowMs = 60_000;

/** Processes over one store, whose clock a test sets and whose calls of the store it counts. */
async function openProcesses(count: number) {
  const place = createMemoryPlace();
  const state = { now: Date.UTC(2026, 0, 1), writes: 0, reads: 0 };
  const counted = (): StoreBackend => {
    const backend = memoryBackend({ place });
    return {
      ...backend,
      get: (...given) => {
        state.reads += 1;
        return backend.get(...given);
      },
      write: (...given) => {
        state.writes += 1;
        return backend.write(...given);
      },
    };
  };
  const open = () => openTenants(counted(), { clock: () => state.now });
  const stores = await Promise.all(Array.from({ length: count }, open));
  return { state, stores, processes: stores.map(({ budgets }) => budgets) };
}

const caller = { tenant: 't', name: 'key 1' };

async function admit(budgets: CallBudgets, limit: number, calls: number, of = caller) {
  const take = async () => budgets.take(of, { limit, windowMs });
  const answers = Array.from({ length: calls }, take);
  return (await Promise.all(answers)).filter(({ isAdmitted }) => isAdmitted).length;
}

describe('a budget of calls', () => {
  it('admits the limit and not one more where one process asks, and again in the next window', async () => {
    const { processes, state } = await openProcesses(1);
    const [one] = processes;
    if (one === undefined) throw new TypeError('there is one process');
    for (const limit of [1, 5, 30, 1000]) {
      const of = { tenant: 't', name: String(limit) };
      expect(await admit(one, limit, limit + 50, of)).toBe(limit);
      state.now += windowMs - 1;
      expect(await admit(one, limit, 10, of)).toBe(0);
      state.now += 1;
      expect(await admit(one, limit, limit + 50, of)).toBe(limit);
    }
  });

  it('admits at most the limit and a hundredth of it for each process, however calls are spread', async () => {
    const spread = fc.array(fc.tuple(fc.nat(3), fc.nat(60), fc.nat(2000)), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1500 }), spread, async (limit, turns) => {
        const { processes, state } = await openProcesses(4);
        const begin = state.now;
        let admitted = 0;
        for (const [which, calls, laterMs] of turns) {
          state.now = Math.min(begin + windowMs - 1, state.now + laterMs);
          const budgets = processes[which];
          if (budgets !== undefined) admitted += await admit(budgets, limit, calls);
        }
        expect(admitted).toBeLessThanOrEqual(limit + 4 * 2 * freeCalls({ limit, windowMs }));
      }),
    );
  });

  it('lets processes use the whole limit where all of them ask on', async () => {
    const { processes } = await openProcesses(4);
    const limit = 1000;
    let admitted = 0;
    for (let round = 0; round < 400; round += 1) {
      for (const budgets of processes) admitted += await admit(budgets, limit, 1);
    }
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + 4 * 10);
  });

  it('gives back in the next window what a process took and did not use', async () => {
    const { processes, state } = await openProcesses(2);
    const [dying, living] = processes;
    if (dying === undefined || living === undefined) throw new TypeError('there are two');
    const limit = 1000;
    // It has a share of more than it used, and is never heard of again.
    const used = await admit(dying, limit, 200);
    const rest = await admit(living, limit, 2 * limit);
    expect(used).toBe(200);
    expect(used + rest).toBeLessThanOrEqual(limit + 2 * 10);
    expect(used + rest).toBeGreaterThanOrEqual(limit * (7 / 8));
    state.now += windowMs;
    expect(await admit(living, limit, 2 * limit)).toBe(limit);
  });

  it('keeps callers and tenants apart, also of one name', async () => {
    const { processes } = await openProcesses(1);
    const [one] = processes;
    if (one === undefined) throw new TypeError('there is one process');
    expect(await admit(one, 5, 9)).toBe(5);
    expect(await admit(one, 5, 9, { tenant: 'u', name: caller.name })).toBe(5);
    expect(await admit(one, 5, 9, { tenant: registryTenant, name: caller.name })).toBe(5);
  });

  it('says how many may still come, and how long it takes until more may', async () => {
    const { processes, state } = await openProcesses(1);
    const [one] = processes;
    const first = await one?.take(caller, { limit: 2, windowMs });
    expect(first).toEqual({ isAdmitted: true, remaining: 1, resetMs: windowMs });
    state.now += 1000;
    expect((await one?.take(caller, { limit: 2, windowMs }))?.remaining).toBe(0);
    const refused = await one?.take(caller, { limit: 2, windowMs });
    expect(refused).toEqual({ isAdmitted: false, remaining: 0, resetMs: windowMs - 1000 });
  });

  it('asks the store never for rare callers, and some dozen times for 60,000 calls', async () => {
    const { processes, state } = await openProcesses(1);
    const [one] = processes;
    if (one === undefined) throw new TypeError('there is one process');
    const before = { ...state };
    const limit = 60_000;
    expect(one.take(caller, { limit, windowMs })).not.toBeInstanceOf(Promise);
    expect(await admit(one, limit, 299)).toBe(299);
    expect(state).toEqual(before);
    let admitted = 300;
    while (admitted < limit) admitted += await admit(one, limit, 100);
    expect(state.writes - before.writes).toBeLessThan(64);
    // Whoever has nothing left is refused from memory.
    const atEnd = { ...state };
    expect(await admit(one, limit, 1000)).toBe(0);
    expect(state.writes).toBe(atEnd.writes);
    expect(state.reads - atEnd.reads).toBeLessThanOrEqual(1);
  });

  it('is of each process alone, and asks the store for nothing, where all its calls are free', async () => {
    const { processes, state } = await openProcesses(2);
    const before = { ...state };
    for (const budgets of processes) {
      const take = () => budgets.take(caller, { limit: 5, windowMs, free: 5 });
      const answers = [];
      for (let call = 0; call < 9; call += 1) answers.push(await take());
      expect(answers.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(5);
    }
    expect(state).toEqual(before);
  });

  it('leaves no record of callers who have not called for a day', async () => {
    const { processes, state, stores } = await openProcesses(1);
    const [one] = processes;
    if (one === undefined) throw new TypeError('there is one process');
    for (let address = 0; address < 300; address += 1) {
      await admit(one, 5, 1, { tenant: 't', name: `address ${String(address)}` });
    }
    state.now += 25 * 3_600_000;
    for (let turn = 0; turn < 600; turn += 1) {
      await admit(one, 5, 1, { tenant: 't', name: 'another' });
      state.now += windowMs;
    }
    const [first] = stores;
    const claim = { keyId: '', name: 'calls address 7', requestHash: 'h' };
    expect(await first?.idempotency('t').find(claim)).toEqual({ state: 'new', version: 0 });
  });
});

describe('a share', () => {
  it('is at most what is left, an eighth of it at most but for a few calls, and never nothing while something is left', () => {
    const limits = fc.integer({ min: 1, max: 1e6 });
    fc.assert(
      fc.property(limits, fc.nat(1e6), fc.nat(1e6), (limit, left, admitted) => {
        const share = shareOf({ limit, windowMs }, { left, admitted });
        expect(share).toBeLessThanOrEqual(left);
        expect(share).toBeLessThanOrEqual(Math.max(left / 8, Math.ceil(limit * 0.002)));
        expect(share > 0).toBe(left > 0);
      }),
    );
  });
});

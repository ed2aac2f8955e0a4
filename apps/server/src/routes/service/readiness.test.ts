import { CtxError } from '@ctx/core';
import { memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { at, startServer } from '../../test-support/start-server.ts';
import { readinessChecks } from './readiness.ts';

/** Stores whose probe a test answers. */
function heldStores() {
  const probes: ((error?: Error) => void)[] = [];
  return {
    probes,
    stores: {
      probe: () =>
        new Promise<void>((resolve, reject) => {
          probes.push((error) => {
            if (error === undefined) resolve();
            else reject(error);
          });
        }),
      store: () => Promise.reject(new Error('not used here')),
    },
  };
}

describe('the checks', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const firstOf = async (checks: Promise<readonly unknown[]>): Promise<unknown> =>
    (await checks)[0];

  it('do not wait for a store that hangs, and ask it once however many look', async () => {
    const { stores, probes } = heldStores();
    const look = readinessChecks({ stores, minFreeBytes: 0, patienceMs: 2000 });
    const looks = [look(), look(), look()];
    await vi.advanceTimersByTimeAsync(2000);
    const late = { name: 'store takes writes', isOk: false, code: 'TOO_LATE' };
    for (const one of looks) expect(await firstOf(one)).toEqual(late);
    const again = look();
    expect(probes).toHaveLength(1);
    // What is answered late is good for whoever looks then.
    probes[0]?.();
    expect(await firstOf(again)).toEqual({ name: 'store takes writes', isOk: true });
    void look();
    expect(probes).toHaveLength(2);
  });

  it('name what the store said', async () => {
    const { stores, probes } = heldStores();
    const look = readinessChecks({ stores, minFreeBytes: 0, patienceMs: 2000 });
    const found = look();
    probes[0]?.(new CtxError('CTX_STORE_IO', 'away'));
    const [writes, collections, disk] = await found;
    expect(writes).toMatchObject({ isOk: false, code: 'CTX_STORE_IO' });
    expect(collections).toMatchObject({ isOk: false, code: 'UNEXPECTED' });
    expect(disk).toEqual({ name: 'disk has room', isOk: true });
  });
});

/** A backend whose writes hang while it is away. */
function leavingBackend() {
  const inner = memoryBackend();
  const state = { isAway: false };
  const backend: StoreBackend = {
    ...inner,
    write: (operations, options) =>
      state.isAway ? new Promise<void>(() => undefined) : inner.write(operations, options),
  };
  return { backend, state };
}

it('/readyz follows the store and /healthz does not', async () => {
  const { backend, state } = leavingBackend();
  const server = await startServer({ backend, limits: { readyMs: 50 } });
  const key = await server.key('read');
  // With the key, whose first use of a day is noted.
  expect((await server.call('/readyz', { key })).status).toBe(200);
  state.isAway = true;
  const away = await server.call('/readyz', { key });
  expect(away.status).toBe(503);
  expect(at(away.json, 'checks.0')).toMatchObject({ isOk: false, code: 'TOO_LATE' });
  expect((await server.call('/readyz')).json).toEqual({ isReady: false });
  expect((await server.call('/healthz')).status).toBe(200);
  await server.stop();
});

import { isCtxError } from '@ctx/core';
import { openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend, type StoreBackend } from '@ctx/store/backend';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTenants } from '../tenants/open-tenants.ts';
import { coalesceFrom } from './live-events-of.ts';
import { liveLog } from './live-log.ts';
import { withLiveEvents } from './with-live-events.ts';

const clock = () => 1_000;

/** One process that writes to a place, and what it may read. */
async function openProcess(place: ReturnType<typeof createMemoryPlace>, { keep = 10_000 } = {}) {
  const memory = memoryBackend({ place });
  const backend = withLiveEvents(memory, { clock, keep });
  const store = await openStore(backend, { clock });
  return { store, log: liveLog(backend, 'default'), backend };
}

describe('the live log', () => {
  it('tells of an item, an output and a session in the order they were written', async () => {
    const { store, log } = await openProcess(createMemoryPlace());
    const { item } = await store.items.save({ agentId: 'a', kind: 'TASK', content: 'x' });
    await store.items.touch('a', item.id);
    const { pointer } = await store.outputs.save({
      sessionId: 's',
      toolName: 't',
      args: {},
      result: 'r',
    });
    await store.sessions.update('s', (session) => ({ ...session, agentId: 'a' }));
    await store.items.delete('a', item.id);
    expect(await log.after(0)).toMatchObject([
      { sequence: 1, type: 'item-saved', agentId: 'a', id: item.id },
      { sequence: 2, type: 'item-touched', agentId: 'a', id: item.id },
      { sequence: 3, type: 'output-saved', sessionId: 's', id: pointer.id },
      { sequence: 4, type: 'session-updated', sessionId: 's', agentId: 'a' },
      { sequence: 5, type: 'item-deleted', agentId: 'a', id: item.id },
    ]);
  });

  it('tells of flash saves and restores', async () => {
    const { store, log } = await openProcess(createMemoryPlace());
    await store.items.save({ agentId: 'a', kind: 'TASK', content: 'x' });
    const { checkpointId = '' } = await store.checkpoints.flashSave({ agentId: 'a' });
    await store.items.save({ agentId: 'a', kind: 'TASK', content: 'y' });
    await store.checkpoints.restore(checkpointId);
    const types = (await log.after(0)).map(({ type }) => type);
    expect(types).toContain('flash-saved');
    expect(types).toContain('checkpoint-restored');
    expect(types.indexOf('flash-saved')).toBeLessThan(types.indexOf('checkpoint-restored'));
  });

  it('tells whose facts were stated or forgotten, and nothing that the text could be told from', async () => {
    const { store, log } = await openProcess(createMemoryPlace());
    const fact = { agentId: 'a', text: 'Deploys run on Fridays', source: 'user' };
    await store.facts.remember(fact);
    const told = { sequence: 1, type: 'facts-updated', at: 1_000, agentId: 'a' };
    expect(await log.after(0)).toEqual([told]);
    await store.facts.forget({ agentId: 'a', text: fact.text });
    expect(await log.after(1)).toEqual([{ ...told, sequence: 2 }]);
  });

  it('holds no content', async () => {
    const { store, backend } = await openProcess(createMemoryPlace());
    await store.items.save({ agentId: 'a', kind: 'TASK', content: 'the-secret-word' });
    await store.events.append('s', [{ type: 'window-requested', payload: 'the-secret-word' }]);
    let count = 0;
    const query = { collection: 'live_events', index: 'key', equal: ['default'] };
    for await (const record of backend.scan(query)) {
      count += 1;
      expect(JSON.stringify(record)).not.toContain('the-secret-word');
    }
    expect(count).toBe(2);
  });

  it('says once that a session went on, and tells flushes, compactions and misses apart', async () => {
    const { store, log } = await openProcess(createMemoryPlace());
    await store.events.append('s', [
      { type: 'window-received', payload: { text: '"flush":{' } },
      { type: 'window-requested', payload: { event: { flush: { edits: [] } } } },
      { type: 'window-requested', payload: { event: { regret: 0 } } },
      { type: 'window-cache-miss', payload: {} },
      { type: 'window-compacted', payload: {} },
    ]);
    const events = await log.after(0);
    expect(events.map(({ type, id }) => [type, id])).toEqual([
      ['session-updated', undefined],
      ['window-flushed', '1'],
      ['cache-miss', '3'],
      ['compaction-committed', '4'],
    ]);
  });

  it('lets one event stand for many equal ones', async () => {
    const { store, log } = await openProcess(createMemoryPlace());
    const outputs = Array.from({ length: coalesceFrom }, (_, index) => ({
      sessionId: 's',
      toolName: 't',
      args: { index },
      result: `r${String(index)}`,
    }));
    await store.outputs.saveAll(outputs);
    expect(await log.after(0)).toEqual([
      { sequence: 1, type: 'output-saved', at: 1_000, sessionId: 's', count: coalesceFrom },
    ]);
  });

  it('says nothing of a write that failed', async () => {
    const { store, log } = await openProcess(createMemoryPlace());
    const session = await store.sessions.update('s', (one) => one);
    const stale = await store.sessions
      .save({ ...session, version: 7 })
      .catch((error: unknown) => error);
    expect(isCtxError(stale, 'CTX_STORE_CONFLICT')).toBe(true);
    expect(await log.after(0)).toHaveLength(1);
  });

  it('writes what is not to be seen as it is', async () => {
    const { backend, log } = await openProcess(createMemoryPlace());
    await backend.write([]);
    expect(await log.bounds()).toEqual({ oldest: 0, newest: 0 });
  });
});

describe('a log whose numbers the backend assigns', () => {
  it('has no gap and no double when several processes write at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { minLength: 1, maxLength: 40 }), async (writers) => {
        const place = createMemoryPlace();
        const processes = await Promise.all([0, 1, 2].map(() => openProcess(place)));
        const save = async (writer: number, index: number): Promise<void> => {
          const content = `item ${String(index)}`;
          await processes[writer]?.store.items.save({ agentId: 'a', kind: 'TASK', content });
        };
        await Promise.all(writers.map(save));
        const events = (await processes[0]?.log.after(0, 1000)) ?? [];
        expect(events.map(({ sequence }) => sequence)).toEqual(
          writers.map((_, index) => index + 1),
        );
        expect(new Set(events.map(({ id }) => id)).size).toBe(writers.length);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps as many as it must and lets the older go', async () => {
    const { store, log } = await openProcess(createMemoryPlace(), { keep: 100 });
    for (let index = 0; index < 520; index += 1) {
      await store.items.save({ agentId: 'a', kind: 'TASK', content: String(index) });
    }
    const { oldest, newest } = await log.bounds();
    expect(newest).toBe(520);
    expect(newest - oldest).toBeGreaterThanOrEqual(100);
    expect(newest - oldest).toBeLessThan(100 + 256);
    expect((await log.after(newest - 3)).map(({ sequence }) => sequence)).toEqual([518, 519, 520]);
  });

  it('is trimmed by several processes, none of which writes much', async () => {
    const place = createMemoryPlace();
    const processes = await Promise.all([0, 1, 2, 3].map(() => openProcess(place, { keep: 100 })));
    for (let index = 0; index < 1500; index += 1) {
      const store = processes[index % processes.length]?.store;
      await store?.items.save({ agentId: 'a', kind: 'TASK', content: String(index) });
    }
    const { oldest = 0, newest = 0 } = (await processes[0]?.log.bounds()) ?? {};
    expect(newest).toBe(1500);
    expect(newest - oldest).toBeGreaterThanOrEqual(99);
    expect(newest - oldest).toBeLessThan(100 + 4 * 256);
  });

  it('is written only where what else the write asks for holds', async () => {
    const { store, log, backend } = await openProcess(createMemoryPlace());
    await store.sessions.update('s', (one) => one);
    const change = { type: 'delete', collection: 'items', key: ['default', 'a', 'x'] } as const;
    const emptyRanges = [{ collection: 'sessions', index: 'key', equal: ['default'] }];
    const write = backend.write([change], { emptyRanges });
    await expect(write).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect((await log.bounds()).newest).toBe(1);
  });

  it('keeps what a caller conflicts with to the caller', async () => {
    const { store, log } = await openProcess(createMemoryPlace());
    const session = await store.sessions.update('s', (one) => one);
    const stale = store.sessions.save({ ...session, version: 7 });
    await expect(stale).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect((await log.bounds()).newest).toBe(1);
  });
});

describe('the stores of all tenants', () => {
  const failing = (): StoreBackend => ({
    ...memoryBackend(),
    open: () => Promise.reject(new Error('no')),
  });

  it('keeps the tenants apart and tells who listens of which tenant', async () => {
    const tenants = await openTenants(memoryBackend(), { clock });
    const told: [string, string][] = [];
    const stop = tenants.onLive((tenant, events) => {
      for (const { type } of events) told.push([tenant, type]);
    });
    const one = await tenants.store('one');
    const two = await tenants.store('two');
    expect(await tenants.store('one')).toBe(one);
    const { item } = await one.items.save({ agentId: 'a', kind: 'TASK', content: 'x' });
    expect(await two.items.get('a', item.id)).toBeUndefined();
    await two.items.save({ agentId: 'a', kind: 'TASK', content: 'y' });
    stop();
    await two.items.save({ agentId: 'a', kind: 'TASK', content: 'z' });
    expect(told).toEqual([
      ['one', 'item-saved'],
      ['two', 'item-saved'],
    ]);
    expect(await tenants.liveLog('one').bounds()).toEqual({ oldest: 1, newest: 1 });
    expect(await tenants.liveLog('two').bounds()).toEqual({ oldest: 1, newest: 2 });
    await tenants.close();
    await tenants.close();
  });

  it('probes without leaving anything', async () => {
    const place = createMemoryPlace();
    const tenants = await openTenants(memoryBackend({ place }), { clock });
    await tenants.probe();
    expect(place.collections.get('idempotency')?.records.size).toBe(0);
    await tenants.close();
    await expect(tenants.probe()).rejects.toThrow(/closed/);
  });

  it('tells why it cannot be opened', async () => {
    await expect(openTenants(failing())).rejects.toThrow(/failed in open/);
  });
});

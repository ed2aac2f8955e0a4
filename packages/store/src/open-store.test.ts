import { CtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from './backend/memory/memory-backend.ts';
import type { StoreBackend } from './backend/store-backend.ts';
import { migrateStore } from './migrate-store.ts';
import { openStore } from './open-store.ts';

describe('openStore', () => {
  it('keeps tenants apart in every call', async () => {
    const place = createMemoryPlace();
    const a = await openStore(memoryBackend({ place }), { tenant: 'a' });
    const b = await openStore(memoryBackend({ place }), { tenant: 'b' });
    const { pointer } = await a.outputs.save({
      sessionId: 's',
      toolName: 't',
      args: {},
      result: 'needle',
    });
    await a.sessions.update('s', (session) => session);
    await a.events.append('s', [{ type: 'message', payload: 1 }]);
    const { item } = await a.items.save({ agentId: 'x', kind: 'TASK', content: 'c' });
    expect(await b.outputs.load(pointer)).toBeUndefined();
    expect(await b.outputs.load({ id: pointer.id })).toBeUndefined();
    expect((await b.outputs.search({ text: 'needle' })).hits).toEqual([]);
    expect((await b.outputs.tally()).outputs).toBe(0);
    expect(await b.sessions.get('s')).toBeUndefined();
    expect((await b.sessions.list()).entries).toEqual([]);
    expect(await b.events.tally('s')).toEqual({ events: 0, tokens: 0 });
    expect(await b.items.get('x', item.id)).toBeUndefined();
    expect((await b.items.inTier('x', 'hot')).entries).toEqual([]);
    expect(await b.outputs.clear('s')).toBe(0);
    expect((await a.outputs.load(pointer))?.result).toBe('needle');
  });

  it('refuses a tenant without a name and policies that make no sense, before anything is touched', async () => {
    const backend = memoryBackend();
    const unnamed = openStore(backend, { tenant: '' });
    await expect(unnamed).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    const refused = { code: 'CTX_INVALID_OPTION' };
    await expect(openStore(backend, { importance: { gain: -1 } })).rejects.toMatchObject(refused);
    await expect(openStore(backend, { outputs: { maxBytes: -1 } })).rejects.toMatchObject(refused);
    await expect(openStore(backend)).resolves.toBeDefined();
  });

  it('refuses every call after close, and closes twice', async () => {
    const store = await openStore(memoryBackend());
    await store.close();
    await store.close();
    const closed = { code: 'CTX_STORE_CLOSED' };
    await expect(store.sessions.get('s')).rejects.toMatchObject(closed);
    await expect(store.outputs.pointers({ sessionId: 's' })).rejects.toMatchObject(closed);
    await expect(store.outputs.clear('s')).rejects.toMatchObject(closed);
  });

  it('turns what a third-party backend throws into a store error, its cause kept', async () => {
    const cause = new Error('wire cut');
    const broken: StoreBackend = { ...memoryBackend(), open: () => Promise.reject(cause) };
    await expect(openStore(broken)).rejects.toMatchObject({ code: 'CTX_STORE_IO', cause });
    const known = new CtxError('CTX_STORE_FULL', 'full');
    const full: StoreBackend = { ...memoryBackend(), open: () => Promise.reject(known) };
    await expect(openStore(full)).rejects.toBe(known);
  });
});

describe('sessions', () => {
  it('lose no update of many writers at once', async () => {
    const store = await openStore(memoryBackend());
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.sessions.update('s', (session) => ({
          ...session,
          document: { ...session.document, facts: [...session.document.facts, String(index)] },
        })),
      ),
    );
    const session = await store.sessions.get('s');
    expect(session?.document.facts).toHaveLength(50);
    expect(new Set(session?.document.facts).size).toBe(50);
    expect(session?.version).toBe(50);
  });

  it('refuse a stale version and a document that is none', async () => {
    const store = await openStore(memoryBackend());
    const first = await store.sessions.update('s', (session) => session);
    await store.sessions.save(first);
    await expect(store.sessions.save(first)).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    const facts: unknown = [1];
    const odd = { ...first, document: { ...first.document, facts: facts as string[] } };
    await expect(store.sessions.save(odd)).rejects.toThrow('facts.0');
  });

  it('are listed by last activity, newest first, of one agent if asked', async () => {
    let now = 0;
    const store = await openStore(memoryBackend(), { clock: () => now });
    for (const [id, agentId] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const) {
      now += 10;
      await store.sessions.update(id, (session) => ({ ...session, agentId }));
    }
    now += 10;
    await store.sessions.update('a', (session) => session);
    const ids = async (request = {}) =>
      (await store.sessions.list(request)).entries.map(({ id }) => id);
    expect(await ids()).toEqual(['a', 'c', 'b']);
    expect(await ids({ agentId: 'x' })).toEqual(['a', 'c']);
    await store.sessions.delete('a');
    expect(await ids()).toEqual(['c', 'b']);
  });
});

describe('events', () => {
  it('keep one order without gaps, whoever appends at once', async () => {
    const store = await openStore(memoryBackend());
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        store.events.append('s', [
          { type: 'message', payload: index, tokens: 2 },
          { type: 'message', payload: -index },
        ]),
      ),
    );
    const sequences: number[] = [];
    const payloads: unknown[] = [];
    for await (const event of store.events.read('s')) {
      sequences.push(event.sequence);
      payloads.push(event.payload);
    }
    expect(sequences).toEqual(Array.from({ length: 60 }, (_, index) => index));
    for (let index = 0; index < 60; index += 2) {
      expect(Math.abs(Number(payloads[index]))).toBe(Math.abs(Number(payloads[index + 1])));
    }
    expect(await store.events.tally('s')).toEqual({ events: 60, tokens: 60 });
  });

  it('are read from a sequence number on, and cleared as a whole', async () => {
    const store = await openStore(memoryBackend());
    const inputs = Array.from({ length: 1200 }, (_, index) => ({
      type: 'message',
      payload: index,
    }));
    expect(await store.events.append('s', inputs)).toBe(0);
    expect(await store.events.append('s', [])).toBe(1200);
    const read: unknown[] = [];
    for await (const event of store.events.read('s', { from: 998, limit: 3 }))
      read.push(event.payload);
    expect(read).toEqual([998, 999, 1000]);
    expect(await store.events.clear('s')).toBe(1200);
    expect(await store.events.tally('s')).toEqual({ events: 0, tokens: 0 });
  });
});

describe('items', () => {
  it('move through the tiers as time passes, and back with a touch, without being rewritten', async () => {
    let now = Date.UTC(2026, 0, 1);
    const hour = 3_600_000;
    const store = await openStore(memoryBackend(), {
      clock: () => now,
      tokenCounter: () => 7,
      importance: { pauseMs: Number.POSITIVE_INFINITY },
    });
    const { item: task } = await store.items.save({
      agentId: 'a',
      kind: 'TASK',
      content: 'ship it',
    });
    const { item: code } = await store.items.save({ agentId: 'a', kind: 'CODE', content: 'x = 1' });
    const { item: pinned } = await store.items.save({
      agentId: 'a',
      kind: 'ERROR',
      content: 'E',
      pinned: true,
    });
    const ids = async (tier: 'hot' | 'warm' | 'cold') =>
      (await store.items.inTier('a', tier)).entries.map(({ id }) => id);
    expect(await ids('hot')).toEqual([pinned.id, task.id, code.id]);
    now += 10 * hour;
    expect(await ids('hot')).toEqual([pinned.id]);
    expect(await ids('warm')).toEqual([task.id, code.id]);
    now += 20 * hour;
    expect(await ids('cold')).toEqual([task.id, code.id]);
    await store.items.touch('a', code.id);
    expect(await ids('hot')).toEqual([pinned.id, code.id]);
    expect((await store.items.stats('a')).tiers).toEqual([
      { tier: 'hot', items: 2, tokens: 14 },
      { tier: 'warm', items: 0, tokens: 0 },
      { tier: 'cold', items: 1, tokens: 7 },
    ]);
    expect((await store.items.get('a', code.id))?.accessCount).toBe(2);
    await expect(store.items.touch('b', code.id)).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
    await store.items.delete('a', task.id);
    expect(await ids('cold')).toEqual([]);
  });
});

describe('migrateStore', () => {
  async function filled() {
    const place = createMemoryPlace();
    for (const tenant of ['default', 'other']) {
      const store = await openStore(memoryBackend({ place }), { tenant, clock: () => 5 });
      for (let index = 0; index < 250; index += 1) {
        const result = index % 10 === 0 ? 'same '.repeat(400) : `result ${String(index)}`;
        await store.outputs.save({ sessionId: 's:1', toolName: 't', args: { index }, result });
      }
      await store.sessions.update('s:1', (session) => ({ ...session, title: 'T' }));
      await store.events.append('s:1', [{ type: 'message', payload: { text: 'hi' } }]);
      await store.items.save({ agentId: 'a', kind: 'CODE', content: 'needle' });
    }
    return place;
  }

  it('copies every tenant and collection, searchable, and proves it', async () => {
    const from = await filled();
    const to = createMemoryPlace();
    const backends = () => [memoryBackend({ place: from }), memoryBackend({ place: to })] as const;
    const receipt = await migrateStore(...backends(), { verify: true });
    expect(receipt).toMatchObject({ tenants: 2, copied: 2 * 255, unchanged: 0, differences: [] });
    const store = await openStore(memoryBackend({ place: to }), { tenant: 'other' });
    expect((await store.outputs.search({ text: 'result 17' })).hits.length).toBeGreaterThan(0);
    expect((await store.outputs.pointers({ sessionId: 's:1' })).entries).toHaveLength(100);
    const again = await migrateStore(...backends(), { verify: true });
    expect(again).toMatchObject({ copied: 0, unchanged: 2 * 255, differences: [] });
  });

  it('names what differs', async () => {
    const from = await filled();
    const to = createMemoryPlace();
    await migrateStore(memoryBackend({ place: from }), memoryBackend({ place: to }));
    const store = await openStore(memoryBackend({ place: to }));
    await store.sessions.update('extra', (session) => session);
    const receipt = await migrateStore(
      memoryBackend({ place: from }),
      memoryBackend({ place: to }),
      {
        verify: true,
      },
    );
    expect(receipt.differences).toEqual(['sessions: default / extra']);
  });

  it('tells how much of the source each step has read, also what stands in the target already', async () => {
    const places = { from: await filled(), to: createMemoryPlace() };
    for (const round of ['first', 'again']) {
      const told: [string, number, number][] = [];
      await migrateStore(
        memoryBackend({ place: places.from }),
        memoryBackend({ place: places.to }),
        {
          verify: true,
          onProgress: ({ step, records, all }) => told.push([step, records, all]),
        },
      );
      for (const step of ['copying', 'comparing']) {
        const read = told.filter(([name]) => name === step).map(([, records]) => records);
        expect([round, step, read]).toEqual([round, step, read.toSorted((a, b) => a - b)]);
        expect([round, step, read.at(-1)]).toEqual([round, step, told.at(-1)?.[2]]);
        expect(read.at(-1)).toBeGreaterThan(0);
      }
    }
  });

  it('stops when asked to, and goes on where it was', async () => {
    const from = await filled();
    const to = createMemoryPlace();
    const controller = new AbortController();
    const stopped = migrateStore(memoryBackend({ place: from }), memoryBackend({ place: to }), {
      signal: controller.signal,
      onProgress: ({ copied }) => {
        if (copied > 100) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: 'CTX_ABORTED' });
    const receipt = await migrateStore(
      memoryBackend({ place: from }),
      memoryBackend({ place: to }),
      {
        verify: true,
      },
    );
    expect(receipt.unchanged).toBeGreaterThan(0);
    expect(receipt.differences).toEqual([]);
  });
});

import { createRedactor } from '@ctx/redact';
import { describe, expect, it } from 'vitest';
import {
  createMemoryPlace,
  type MemoryPlace,
  memoryBackend,
} from './backend/memory/memory-backend.ts';
import type { StoreBackend } from './backend/store-backend.ts';
import { eventsCollection, itemsCollection, outputsCollection } from './collections/collections.ts';
import { migrateStore } from './migrate-store.ts';
import { openStore } from './open-store.ts';
import { accessCollection } from './records/collection-access.ts';
import type { Session } from './sessions/session-document.ts';

const openOn = (place: MemoryPlace) => openStore(memoryBackend({ place }));

describe('openStore', () => {
  it('refuses a way of keeping outputs that does not exist', async () => {
    const persist: unknown = 'larg-only';
    const outputs = { persist: persist as 'large-only' };
    const opened = openStore(memoryBackend(), { outputs });
    await expect(opened).rejects.toMatchObject({ code: 'CTX_INVALID_OPTION' });
  });

  it('closes the backend when it cannot be used', async () => {
    for (const broken of ['open', 'write'] as const) {
      const inner = memoryBackend();
      let closed = 0;
      const backend: StoreBackend = {
        ...inner,
        [broken]: () => Promise.reject(new Error('no')),
        close: () => {
          closed += 1;
          return inner.close();
        },
      };
      await expect(openStore(backend)).rejects.toMatchObject({ code: 'CTX_STORE_IO' });
      expect(closed).toBe(1);
    }
  });
});

describe('a session document', () => {
  it('comes back with every member, whatever its name and kind', async () => {
    const store = await openStore(memoryBackend());
    const state: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2,"list":[null]}');
    const odd = { at: new Date(5), none: undefined, big: 5n };
    const saved = await store.sessions.update('s', (session) => ({
      ...session,
      document: {
        ...session.document,
        system_state: state as Session['document']['system_state'],
        last_known_environment: odd,
      },
    }));
    const read = await store.sessions.get('s');
    expect(JSON.stringify(read?.document.system_state)).toBe(JSON.stringify(state));
    expect(read?.document.last_known_environment).toEqual(odd);
    expect(read).toEqual({ ...saved, document: read?.document });
  });

  it('of any depth is kept', async () => {
    const store = await openStore(memoryBackend());
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    await store.sessions.update('s', (session) => ({
      ...session,
      document: { ...session.document, system_state: { deep } },
    }));
    let value: unknown = (await store.sessions.get('s'))?.document.system_state['deep'];
    let depth = 0;
    while (typeof value === 'object' && value !== null && 'a' in value) {
      depth += 1;
      value = value.a;
    }
    expect(depth).toBe(5000);
  });
});

describe('a session', () => {
  it('keeps the time its writer gives where that is later than the clock, and follows the clock otherwise', async () => {
    const store = await openStore(memoryBackend(), { clock: () => 100 });
    const at = async (updatedAt: number) =>
      (await store.sessions.update('s', (session) => ({ ...session, updatedAt }))).updatedAt;
    expect([await at(50), await at(500), await at(50)]).toEqual([100, 500, 100]);
  });
});

describe('events', () => {
  it('leave no gap when a log is cleared while somebody appends', async () => {
    const inner = memoryBackend();
    const hooks: { beforeWrite?: (() => Promise<unknown>) | undefined } = {};
    const backend: StoreBackend = {
      ...inner,
      write: async (operations, options) => {
        const act = hooks.beforeWrite;
        hooks.beforeWrite = undefined;
        await act?.();
        return inner.write(operations, options);
      },
    };
    const store = await openStore(backend);
    const event = { type: 'message', payload: 1 };
    await store.events.append('s', [event, event]);
    hooks.beforeWrite = () => store.events.clear('s');
    expect(await store.events.append('s', [event])).toBe(0);
  });

  it('are cleared from the end, so that what is left after a crash has no gap', async () => {
    const inner = memoryBackend();
    let writes = 0;
    const backend: StoreBackend = {
      ...inner,
      write: (operations, options) => {
        if (operations[0]?.type === 'delete') writes += 1;
        if (writes > 1) return Promise.reject(new Error('crash'));
        return inner.write(operations, options);
      },
    };
    const store = await openStore(backend);
    const events = Array.from({ length: 700 }, () => ({ type: 'message', payload: 1 }));
    await store.events.append('s', events);
    await expect(store.events.clear('s')).rejects.toMatchObject({ code: 'CTX_STORE_IO' });
    for await (const { sequence } of store.events.read('s', { limit: 1 })) expect(sequence).toBe(0);
    expect((await store.events.tally('s')).events).toBe(200);
  });

  it.each([Number.NaN, 0.5, -1])('refuse to be read from %d', async (from) => {
    const store = await openStore(memoryBackend());
    const read = async () => {
      for await (const event of store.events.read('s', { from })) expect(event).toBeUndefined();
    };
    await expect(read()).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
  });
});

describe('pages', () => {
  it('go on behind a query id of any length', async () => {
    const store = await openStore(memoryBackend());
    const queryId = 'why? '.repeat(5000);
    const input = { sessionId: 's', toolName: 't', args: {}, result: 1, queryId };
    await store.outputs.saveAll([input, input]);
    const first = await store.outputs.pointers({ sessionId: 's', queryId, limit: 1 });
    const second = await store.outputs.pointers({
      sessionId: 's',
      queryId,
      limit: 1,
      ...(first.next === undefined ? {} : { after: first.next }),
    });
    expect([...first.entries, ...second.entries].map(({ sequence }) => sequence)).toEqual([0, 1]);
    expect(second.next).toBeUndefined();
    expect(first.next?.length).toBeLessThan(200);
  });

  it('never show another session, whatever cursor is handed in', async () => {
    const store = await openStore(memoryBackend());
    for (const sessionId of ['a', 'b', 'c']) {
      const input = { sessionId, toolName: 't', args: {}, result: 1 };
      await store.outputs.saveAll([input, input, input]);
    }
    const { next = '' } = await store.outputs.pointers({ sessionId: 'a', limit: 1 });
    const page = await store.outputs.pointers({ sessionId: 'b', after: next });
    expect(page.entries.every(({ sessionId }) => sessionId === 'b')).toBe(true);
  });
});

describe('items', () => {
  it('count every access of many at once, and never go back in time', async () => {
    let now = 1_800_000_000_000;
    const store = await openStore(memoryBackend(), { clock: () => now });
    const {
      item: { id },
    } = await store.items.save({ agentId: 'a', kind: 'CODE', content: 'x' });
    await Promise.all(Array.from({ length: 20 }, () => store.items.touch('a', id)));
    const before = await store.items.get('a', id, { peek: true });
    expect(before?.accessCount).toBe(20);
    now -= 60_000;
    await store.items.touch('a', id);
    const after = await store.items.get('a', id, { peek: true });
    expect(after?.lastAccessedAt).toBe(before?.lastAccessedAt);
    expect(after?.rank).toBeGreaterThan(before?.rank ?? Infinity);
  });

  it('are redacted on admission like everything else', async () => {
    const store = await openStore(memoryBackend(), { redactor: createRedactor() });
    const content = 'token ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
    const { item } = await store.items.save({ agentId: 'a', kind: 'CODE', content });
    expect(item.content).toContain('[redacted: ');
    expect((await store.items.get('a', item.id))?.content).toBe(item.content);
  });

  it('that are damaged are called so', async () => {
    const place = createMemoryPlace();
    const store = await openOn(place);
    const {
      item: { id },
    } = await store.items.save({ agentId: 'a', kind: 'CODE', content: 'x' });
    const bare = memoryBackend({ place });
    await bare.open([itemsCollection]);
    const items = accessCollection(bare, itemsCollection, 'default');
    const record = await items.get(['a', id]);
    for (const body of ['no json', '{}', 'null']) {
      await bare.write([items.put({ key: ['a', id], columns: record?.columns ?? {}, body })]);
      await expect(store.items.get('a', id)).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    }
  });
});

describe('migrateStore', () => {
  it('keeps outputs findable whose result another one holds', async () => {
    const [from, to] = [createMemoryPlace(), createMemoryPlace()];
    const store = await openOn(from);
    const input = { sessionId: 's', toolName: 't', args: {}, result: `needle ${'x'.repeat(3000)}` };
    await store.outputs.saveAll([input, input, input]);
    await migrateStore(memoryBackend({ place: from }), memoryBackend({ place: to }));
    expect((await (await openOn(to)).outputs.search({ text: 'needle' })).hits).toHaveLength(3);
  });

  it('names what differs once, writes only that, and at most a hundred names', async () => {
    const [from, to] = [createMemoryPlace(), createMemoryPlace()];
    const [left, right] = [await openOn(from), await openOn(to)];
    const both = () => [memoryBackend({ place: from }), memoryBackend({ place: to })] as const;
    const inputs = Array.from({ length: 150 }, (_, index) => ({
      sessionId: 's',
      toolName: 't',
      args: {},
      result: index,
    }));
    await left.outputs.saveAll(inputs);
    await left.sessions.update('s', (session) => ({ ...session, title: 'left' }));
    await migrateStore(...both());
    await right.sessions.update('s', (session) => ({ ...session, title: 'right' }));
    const slow: StoreBackend = { ...memoryBackend({ place: to }), write: () => Promise.resolve() };
    const seen = await migrateStore(memoryBackend({ place: from }), slow, { verify: true });
    expect(seen).toMatchObject({ copied: 1, differences: ['sessions: default / s'] });
    expect(seen.verified).toBe(seen.copied + seen.unchanged);
    await right.outputs.saveAll(inputs);
    expect((await migrateStore(...both(), { verify: true })).differences).toHaveLength(100);
  });

  it('names a damaged record, and leaves the good copy in the target as it is', async () => {
    const [from, to] = [createMemoryPlace(), createMemoryPlace()];
    const store = await openOn(from);
    await store.outputs.save({ sessionId: 's', toolName: 't', args: {}, result: 1 });
    await migrateStore(memoryBackend({ place: from }), memoryBackend({ place: to }));
    const bare = memoryBackend({ place: from });
    await bare.open([outputsCollection, eventsCollection]);
    const outputs = accessCollection(bare, outputsCollection, 'default');
    for await (const { key, columns } of outputs.scan({ index: 'key' })) {
      await bare.write([outputs.put({ key, columns: { ...columns, pinned: 1 }, body: 'torn' })]);
    }
    const again = () => [memoryBackend({ place: from }), memoryBackend({ place: to })] as const;
    const { unreadable, copied } = await migrateStore(...again());
    expect([copied, unreadable.length]).toEqual([0, 1]);
    const pointers = await (await openOn(to)).outputs.pointers({ sessionId: 's' });
    expect(
      (await (await openOn(to)).outputs.load({ id: pointers.entries[0]?.id ?? '' }))?.result,
    ).toBe(1);
  });
});

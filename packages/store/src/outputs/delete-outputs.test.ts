import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend, WriteOperation } from '../backend/store-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';
import { verifyStore } from '../verify/verify-store.ts';

const big = (mark: string): string => `${mark} ${'x'.repeat(3000)}`;

const save = async (store: ContextStore, result: unknown) =>
  (await store.outputs.save({ sessionId: 's', toolName: 't', args: {}, result })).pointer;

/** A memory backend that tells of every write and lets a test act before a read by key is answered. */
function watchedBackend() {
  const inner = memoryBackend();
  const writes: (readonly WriteOperation[])[] = [];
  const hooks: {
    beforeWholeGet?: (() => Promise<unknown>) | undefined;
    afterWrite?: (operations: readonly WriteOperation[]) => Promise<void>;
  } = {};
  const backend: StoreBackend = {
    ...inner,
    get: async (collection, keys, part) => {
      const act = hooks.beforeWholeGet;
      if (act !== undefined && part === undefined) {
        hooks.beforeWholeGet = undefined;
        await act();
      }
      return inner.get(collection, keys, part);
    },
    write: async (operations, options) => {
      writes.push(operations);
      await inner.write(operations, options);
      await hooks.afterWrite?.(operations);
    },
  };
  return { backend, writes, hooks };
}

describe('deleting outputs', () => {
  it('takes an output that is named twice for one', async () => {
    const store = await openStore(memoryBackend());
    const pointer = await save(store, 'a');
    expect(await store.outputs.delete([pointer, pointer])).toBe(1);
    expect(await store.outputs.load(pointer)).toBeUndefined();
  });

  it('hands a result over to one that shares it, not to one whose members stand in another order', async () => {
    const backend = memoryBackend();
    const store = await openStore(backend);
    const text = 'x'.repeat(3000);
    const forms = [
      { a: text, b: 1 },
      { b: 1, a: text },
    ] as const;
    const pointers = [];
    for (const at of [0, 1, 0, 1]) pointers.push(await save(store, forms[at]));
    await store.outputs.delete(pointers.slice(0, 1));
    const left = await Promise.all(
      pointers.map(async (pointer) => JSON.stringify((await store.outputs.load(pointer))?.result)),
    );
    expect(left).toEqual([undefined, ...[1, 0, 1].map((at) => JSON.stringify(forms[at]))]);
    expect((await verifyStore(backend)).findings).toEqual([]);
  });

  it('finds another heir when the first one is deleted in between', async () => {
    const { backend, hooks } = watchedBackend();
    const store = await openStore(backend);
    const [owner, heir, other] = [
      await save(store, big('a')),
      await save(store, big('a')),
      await save(store, big('a')),
    ];
    hooks.beforeWholeGet = () => store.outputs.delete([heir]);
    await store.outputs.delete([owner]);
    expect(hooks.beforeWholeGet).toBeUndefined();
    expect((await store.outputs.load(other))?.result).toBe(big('a'));
  });

  it('counts down what the output that stays shares, whichever path the sharers leave by', async () => {
    const backend = memoryBackend();
    let now = 0;
    const store = await openStore(backend, { clock: () => now });
    const wrong = async () => (await verifyStore(backend)).findings.map(({ what }) => what);
    const [owner, second, third] = [
      await save(store, big('a')),
      await save(store, big('a')),
      await save(store, big('a')),
    ];
    now = 1000;
    const pinned = { sessionId: 's', toolName: 't', args: {}, pinned: true };
    await store.outputs.save({ ...pinned, result: big('b') });
    await save(store, big('b'));
    now = 5000;
    await save(store, big('a'));
    await store.outputs.delete([third]);
    expect(await wrong()).toEqual([]);
    await store.outputs.delete([second]);
    expect(await wrong()).toEqual([]);
    await store.outputs.delete([owner]);
    expect(await wrong()).toEqual([]);
    await store.outputs.applyRetention(await store.outputs.planRetention({ maxAgeMs: 3000 }));
    expect(await store.outputs.tally()).toMatchObject({ outputs: 2 });
    expect(await wrong()).toEqual([]);
  });

  it('clears and expires equal results without handing them from one to the next', async () => {
    const { backend, writes } = watchedBackend();
    let now = 0;
    const store = await openStore(backend, { clock: () => now });
    const input = { sessionId: 's', toolName: 't', args: {}, result: big('a') };
    for (const empty of [
      () => store.outputs.clear('s'),
      async () => store.outputs.applyRetention(await store.outputs.planRetention({ maxAgeMs: 1 })),
    ]) {
      await store.outputs.saveAll(Array.from({ length: 900 }, () => input));
      now += 1000;
      writes.length = 0;
      await empty();
      expect(await store.outputs.tally()).toMatchObject({ outputs: 0 });
      expect(writes.flat().some(({ type }) => type === 'put')).toBe(false);
      // Beside the 200 that leave only the count of the one that stays for now is written.
      expect(writes.flat().filter(({ type }) => type === 'patch')).toHaveLength(4);
      expect(Math.max(...writes.map((operations) => operations.length))).toBeLessThanOrEqual(201);
    }
  });

  it('ends clearing although somebody goes on saving', async () => {
    const { backend, writes, hooks } = watchedBackend();
    const store = await openStore(backend);
    await store.outputs.saveAll(
      Array.from({ length: 450 }, () => ({ sessionId: 's', toolName: 't', args: {}, result: 1 })),
    );
    const late: string[] = [];
    hooks.afterWrite = async (operations) => {
      if (operations[0]?.type === 'delete' && late.length < 50)
        late.push((await save(store, 2)).id);
    };
    expect(await store.outputs.clear('s')).toBe(450);
    expect(writes.length).toBeGreaterThan(3);
    expect((await store.outputs.pointers({ sessionId: 's' })).entries.map(({ id }) => id)).toEqual(
      late,
    );
  });
});

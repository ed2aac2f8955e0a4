import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../backend/store-backend.ts';
import { outputsCollection } from '../collections/collections.ts';
import { type ContextStore, openStore } from '../open-store.ts';

const big = `a ${'x'.repeat(3000)}`;

const save = async (store: ContextStore, result: unknown, sessionId = 's') =>
  (await store.outputs.save({ sessionId, toolName: 't', args: {}, result })).pointer;

/** Counts reads of outputs. */
function countedBackend(place = createMemoryPlace()) {
  const inner = memoryBackend({ place });
  const reads = { outputs: 0 };
  const backend: StoreBackend = {
    ...inner,
    get: (collection, keys, part) => {
      if (collection === 'outputs') reads.outputs += 1;
      return inner.get(collection, keys, part);
    },
    scan: (query) => {
      if (query.collection === 'outputs') reads.outputs += 1;
      return inner.scan(query);
    },
  };
  return { backend, reads };
}

describe('reading outputs back', () => {
  it('touches no store for small ones that nobody else can delete, named with or without their session', async () => {
    const { backend, reads } = countedBackend();
    const store = await openStore(backend);
    const pointers = [await save(store, 'small'), await save(store, big), await save(store, big)];
    reads.outputs = 0;
    for (const { id, sessionId } of pointers) {
      expect(await store.outputs.load({ id })).toBeDefined();
      expect(await store.outputs.load({ id, sessionId })).toBeDefined();
    }
    expect(reads.outputs).toBe(0);
  });

  it('keeps at hand what it has read once', async () => {
    const place = createMemoryPlace();
    const { id } = await save(await openStore(memoryBackend({ place })), 'small');
    const { backend, reads } = countedBackend(place);
    const store = await openStore(backend);
    await store.outputs.load({ id });
    const before = reads.outputs;
    expect((await store.outputs.load({ id, sessionId: 's' }))?.result).toBe('small');
    expect(reads.outputs).toBe(before);
  });

  it('does not keep large ones at hand', async () => {
    const { backend, reads } = countedBackend();
    const store = await openStore(backend, { outputs: { cacheUpToBytes: 1000 } });
    const pointer = await save(store, big);
    reads.outputs = 0;
    await store.outputs.load(pointer);
    expect(reads.outputs).toBe(1);
  });

  it('does not give an output to another session', async () => {
    const store = await openStore(memoryBackend());
    const { id } = await save(store, 'mine');
    expect(await store.outputs.load({ id, sessionId: 'other' })).toBeUndefined();
    expect(await store.outputs.pointer({ id, sessionId: 'other' })).toBeUndefined();
  });

  it('does not keep what was deleted while it was being read', async () => {
    const place = createMemoryPlace();
    const { id } = await save(await openStore(memoryBackend({ place })), 'gone');
    const inner = memoryBackend({ place });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: StoreBackend = {
      ...inner,
      get: async (collection, keys, part) => {
        const found = await inner.get(collection, keys, part);
        if (part === 'whole') await held;
        return found;
      },
    };
    const store = await openStore(slow);
    const reading = store.outputs.load({ id, sessionId: 's' });
    await store.outputs.delete([{ id, sessionId: 's' }]);
    release();
    await reading;
    expect(await store.outputs.load({ id, sessionId: 's' })).toBeUndefined();
  });

  it('reads on through another process that deletes the output which held the result', async () => {
    const place = createMemoryPlace();
    const mine = await openStore(memoryBackend({ place }), { outputs: { cacheUpToBytes: 100 } });
    const other = await openStore(memoryBackend({ place }));
    const [owner, user] = [await save(mine, big), await save(mine, big)];
    expect((await mine.outputs.load(user))?.result).toBe(big);
    await other.outputs.delete([owner]);
    expect((await mine.outputs.load(user))?.result).toBe(big);
  });

  it('gives nothing out that another process has deleted, where processes share the store', async () => {
    const place = createMemoryPlace();
    const shared = (): StoreBackend => {
      const backend = memoryBackend({ place });
      return { ...backend, supports: { ...backend.supports, sharedBetweenProcesses: true } };
    };
    const [mine, other] = [await openStore(shared()), await openStore(shared())];
    const pointer = await save(mine, 'secret');
    expect((await mine.outputs.load(pointer))?.result).toBe('secret');
    await other.outputs.delete([pointer]);
    expect(await mine.outputs.load(pointer)).toBeUndefined();
    expect(await mine.outputs.load({ id: pointer.id })).toBeUndefined();
  });

  it('calls a pointer whose result is gone damaged, not missing', async () => {
    const place = createMemoryPlace();
    const store = await openStore(memoryBackend({ place }), { outputs: { cacheTotalBytes: 0 } });
    const [owner, user] = [await save(store, big), await save(store, big)];
    const bare = memoryBackend({ place });
    await bare.open([outputsCollection]);
    const key = ['default', 's', owner.id];
    await bare.write([{ type: 'delete', collection: 'outputs', key }]);
    await expect(store.outputs.load(user)).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
  });
});

import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';

const small = 'tiny';
const large = `large ${'x'.repeat(40_000)}`;

/** Six outputs, small and large in turn, in a store that keeps small ones in memory only. */
async function openMixed() {
  const place = createMemoryPlace();
  const open = () => openStore(memoryBackend({ place }), { outputs: { persist: 'large-only' } });
  const store = await open();
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const result = `${index % 2 === 0 ? small : large} ${String(index)}`;
    const { pointer } = await store.outputs.save({
      sessionId: 's',
      toolName: 't',
      args: {},
      result,
    });
    ids.push(pointer.id);
  }
  return { store, ids, open };
}

describe("persist: 'large-only'", () => {
  it('reads small and large outputs as one list, in order and page by page', async () => {
    const { store, ids } = await openMixed();
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const request = { sessionId: 's', limit: 4, ...(after === undefined ? {} : { after }) };
      const page = await store.outputs.pointers(request);
      seen.push(...page.entries.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual(ids);
    expect((await store.outputs.tally()).outputs).toBe(6);
    for (const [index, id] of ids.entries()) {
      expect((await store.outputs.load({ id }))?.result).toContain(String(index));
      expect((await store.outputs.pointer({ id, sessionId: 's' }))?.sequence).toBe(index);
    }
    expect((await store.outputs.search({ text: 'tiny' })).hits).toHaveLength(3);
    expect((await store.outputs.search({ text: 'large' })).hits).toHaveLength(3);
  });

  it('takes no more memory than it may: what has no room is stored', async () => {
    const place = createMemoryPlace();
    const outputs = { persist: 'large-only', cacheTotalBytes: 100_000 } as const;
    const open = () => openStore(memoryBackend({ place }), { outputs });
    const store = await open();
    const save = (index: number) =>
      store.outputs.save({
        ...{ sessionId: 's', toolName: 't', args: {} },
        result: `${String(index)} ${'x'.repeat(10_000)}`,
      });
    const saved = [];
    for (let index = 0; index < 40; index += 1) saved.push(await save(index));
    const inMemory = saved.filter(({ isVolatile }) => isVolatile === true);
    expect(inMemory.length).toBeGreaterThan(5);
    expect(inMemory.reduce((sum, { pointer }) => sum + pointer.bytes, 0)).toBeLessThan(100_000);
    expect((await store.outputs.tally()).outputs).toBe(40);
    await store.outputs.delete(inMemory.map(({ pointer }) => ({ sessionId: 's', id: pointer.id })));
    expect((await save(41)).isVolatile).toBe(true);
    await store.close();
    const stored = (await (await open()).outputs.tally()).outputs;
    expect(stored).toBe(40 - inMemory.length);
  });

  it('forgets the small ones with the store, and keeps the large ones', async () => {
    const { store, ids, open } = await openMixed();
    await store.close();
    const reopened = await open();
    const page = await reopened.outputs.pointers({ sessionId: 's' });
    expect(page.entries.map(({ id }) => id)).toEqual([ids[1], ids[3], ids[5]]);
  });

  it('ranks, counts and bounds both as one', async () => {
    const { store } = await openMixed();
    const found = await store.outputs.relevant({ sessionId: 's', prompt: 'tiny', maxResults: 6 });
    expect(found.selected.length).toBeGreaterThan(2);
    expect((await store.outputs.search({ text: 'tiny large', limit: 4 })).hits).toHaveLength(4);
    expect((await store.outputs.tally({ sessionId: 's' })).bytes).toBe(3 * 6 + 3 * 40_008);
    const plan = await store.outputs.planRetention({ maxTotalBytes: 40_008 + 6 });
    expect(plan.leaving).toHaveLength(4);
    expect(await store.outputs.applyRetention(plan)).toMatchObject({
      deleted: 4,
      bytesAfter: 40_014,
    });
    expect((await store.outputs.planRetention({ maxTotalBytes: 40_014 })).leaving).toEqual([]);
  });

  it('numbers on over both, and clears newest first across them', async () => {
    const { store, ids } = await openMixed();
    const { pointer } = await store.outputs.save({
      sessionId: 's',
      toolName: 't',
      args: {},
      result: small,
    });
    expect(pointer.sequence).toBe(ids.length);
    expect(await store.outputs.clear('s')).toBe(7);
  });

  it('says of each output whether it ends with the store', async () => {
    const { store } = await openMixed();
    const call = { sessionId: 's', toolName: 't', args: {} };
    const inputs = [small, large].map((result) => ({ ...call, result }));
    const receipts = await store.outputs.saveAll(inputs);
    expect(receipts.map(({ isVolatile }) => isVolatile)).toEqual([true, undefined]);
  });

  it('deletes from both', async () => {
    const { store, ids } = await openMixed();
    const names = ids.slice(0, 2).map((id) => ({ sessionId: 's', id }));
    expect(await store.outputs.delete(names)).toBe(2);
    expect(await store.outputs.clear('s')).toBe(4);
    expect((await store.outputs.tally()).outputs).toBe(0);
  });
});

import type { ContextPointer } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../backend/store-backend.ts';
import { type ContextStore, openStore } from '../open-store.ts';

const big = `needle ${'x'.repeat(3000)}`;

const save = async (store: ContextStore): Promise<ContextPointer> =>
  (await store.outputs.save({ sessionId: 's', toolName: 't', args: {}, result: big })).pointer;

/** Two processes on one place; the first one's next write waits for what the second does before it. */
async function twoProcesses() {
  const place = createMemoryPlace();
  const inner = memoryBackend({ place });
  const next: { act?: (() => Promise<unknown>) | undefined } = {};
  const backend: StoreBackend = {
    ...inner,
    write: async (operations, options) => {
      const { act } = next;
      next.act = undefined;
      await act?.();
      return inner.write(operations, options);
    },
  };
  const outputs = { cacheTotalBytes: 0 };
  const mine = await openStore(backend, { outputs });
  const other = await openStore(memoryBackend({ place }), { outputs });
  return { mine, other, next };
}

async function expectReadable(store: ContextStore, pointers: readonly ContextPointer[]) {
  for (const pointer of pointers) expect((await store.outputs.load(pointer))?.result).toBe(big);
  expect((await store.outputs.tally()).outputs).toBe(pointers.length);
  expect((await store.outputs.search({ text: 'needle' })).hits).toHaveLength(pointers.length);
}

describe('a shared result, between reading and writing', () => {
  it('is stored anew when the output that held it is deleted before a save', async () => {
    const { mine, other, next } = await twoProcesses();
    const owner = await save(mine);
    next.act = () => other.outputs.delete([owner]);
    await expectReadable(mine, [await save(mine)]);
  });

  it('is handed over when somebody begins to share it before its delete', async () => {
    const { mine, other, next } = await twoProcesses();
    const owner = await save(mine);
    const late: ContextPointer[] = [];
    next.act = async () => late.push(await save(other));
    await mine.outputs.delete([owner]);
    expect(late).toHaveLength(1);
    await expectReadable(mine, late);
  });

  it.each([0, 1, 2])(
    'is not handed to an output that leaves before, number %i',
    async (leaving) => {
      const { mine, other, next } = await twoProcesses();
      const owner = await save(mine);
      const users = [await save(mine), await save(mine), await save(mine)];
      next.act = () => other.outputs.delete(users.slice(leaving, leaving + 1));
      await mine.outputs.delete([owner]);
      await expectReadable(mine, users.toSpliced(leaving, 1));
    },
  );

  it('outlives everything but its last output, whoever is deleted in whatever order', async () => {
    const { mine } = await twoProcesses();
    let left = [await save(mine), await save(mine), await save(mine), await save(mine)];
    for (const index of [0, 1, 1]) {
      await mine.outputs.delete(left.slice(index, index + 1));
      left = left.toSpliced(index, 1);
      await expectReadable(mine, left);
    }
    const again = await save(mine);
    await mine.outputs.delete(left);
    await expectReadable(mine, [again]);
  });
});

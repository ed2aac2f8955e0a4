import { join } from 'node:path';
import { type ContextStore, type ItemInput, openStore } from '@ctx/store';
import { expect, test } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const kinds = ['TASK', 'CODE', 'ERROR', 'TEST_RESULT', 'PRD_SECTION'];
const agentId = 'agent';

/** All that an agent has in mind. */
async function workingSet({ items }: ContextStore) {
  const lists = [];
  for (const filter of [{}, { archived: true }]) {
    const { entries } = await items.list(agentId, { ...filter, limit: 1000 });
    lists.push(entries);
  }
  return {
    lists,
    load: await items.load(agentId, { maxTokens: 40 }),
    briefs: await items.briefs(agentId),
    stats: await items.stats(agentId),
  };
}

test('the working set after a restart equals the one before, byte for byte, and nothing is saved twice', async () => {
  const clock = { now: start };
  const path = join(temporaryFolder(), 'ctx.db');
  const open = () =>
    openStore(sqliteBackend({ path }), {
      clock: () => clock.now,
      importance: { pauseMs: Number.POSITIVE_INFINITY },
    });
  const first = await open();
  for (let index = 0; index < 60; index += 1) {
    clock.now += hour;
    const kind = kinds[index % kinds.length] ?? 'CODE';
    const input: ItemInput = { agentId, kind, id: `i${String(index)}`, content: `text ${kind} ☃` };
    await first.items.save({ ...input, content: `${input.content} ${String(index)}` });
    if (index % 11 === 0) await first.items.pin(agentId, `i${String(index)}`);
    if (index % 7 === 0) await first.items.touch(agentId, `i${String(index >> 1)}`);
  }
  const receipt = await first.checkpoints.flashSave({ agentId, sessionId: 's' });
  expect(receipt.itemsArchived).toBeGreaterThan(5);
  const before = await workingSet(first);
  expect(before.lists[1]).toHaveLength(receipt.itemsArchived);
  await first.close();

  const second = await open();
  expect(await workingSet(second)).toEqual(before);
  const again = await second.checkpoints.flashSave({ agentId, sessionId: 's' });
  expect(again).toMatchObject({ unchanged: true, checkpointId: receipt.checkpointId });
  const since = { checkpointId: receipt.checkpointId ?? '' };
  expect(await second.checkpoints.diffSince(since)).toMatchObject({
    added: [],
    changed: [],
    moved: [],
    removed: [],
  });

  clock.now += 30 * hour;
  await second.items.save({ agentId, kind: 'TASK', content: 'came later' });
  await second.items.delete(agentId, 'i59');
  await second.close();
  clock.now -= 30 * hour;
  const third = await open();
  await third.checkpoints.restore(since.checkpointId);
  const restored = await workingSet(third);
  const bare = (list: typeof before.lists): unknown =>
    list.map((items) => items.map(({ updatedAt: _u, rankedAt: _r, ...item }) => item));
  expect(bare(restored.lists.slice(0, 1))).toEqual(bare(before.lists.slice(0, 1)));
  expect(restored.load.items.map(({ id }) => id)).toEqual(before.load.items.map(({ id }) => id));
  await third.close();
});

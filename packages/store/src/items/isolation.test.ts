import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';
import type { ItemService } from './items.ts';
import type { ItemAction } from './save/plan-change.ts';

const actions: readonly ItemAction[] = [
  'touch',
  'pin',
  'unpin',
  'archive',
  'unarchive',
  'finish',
  'reopen',
];

/** Everything that an agent can see of its items. */
async function seenBy(items: ItemService, agentId: string): Promise<unknown> {
  const peek = { peek: true };
  return {
    own: (await items.list(agentId)).entries,
    archived: (await items.list(agentId, { archived: true })).entries,
    stats: await items.stats(agentId),
    found: (await items.search(agentId, { text: 'word', ...peek })).hits,
    changed: (await items.changedSince(agentId, 0)).entries,
    fell: (await items.changedTiersSince(agentId, 0)).entries,
    load: await items.load(agentId),
  };
}

/** Tries everything that an agent could do to an id that is not its own; nothing but NOT_FOUND may come of it. */
async function attack(items: ItemService, agentId: string, id: string): Promise<void> {
  expect(await items.get(agentId, id)).toBeUndefined();
  expect(await items.delete(agentId, id)).toBe(false);
  for (const action of actions) {
    await expect(items[action](agentId, id)).rejects.toMatchObject({
      code: 'CTX_NOT_FOUND',
      message: `there is no item ${id}`,
    });
  }
}

/** Names that would meet if a key were joined from its parts or matched as a pattern. */
const names = fc.constantFrom(
  'a',
  'a/b',
  'a:b',
  '*',
  '%',
  '_',
  'A',
  'a ',
  "a' OR 1=1 --",
  'a\u0000',
);

it('ids of another agent or tenant are unknown, and nothing of theirs is seen or changed', async () => {
  await fc.assert(
    fc.asyncProperty(names, names, names, names, async (agent, other, tenant, tenant2) => {
      fc.pre(agent !== other || tenant !== tenant2);
      const place = createMemoryPlace();
      const open = async (of: string) =>
        (await openStore(memoryBackend({ place }), { tenant: of, clock: () => 1_800_000_000_000 }))
          .items;
      const [mine, theirs] = [await open(tenant), await open(tenant2)];
      await mine.save({ agentId: agent, kind: 'TASK', id: 'shared', content: 'word of mine' });
      const { item } = await mine.save({ agentId: agent, kind: 'CODE', content: 'word more' });
      const before = await seenBy(mine, agent);
      const emptyHanded = await seenBy(theirs, other);
      expect(emptyHanded).toMatchObject({ own: [], archived: [], found: [], changed: [] });
      await attack(theirs, other, 'shared');
      await attack(theirs, other, item.id);
      const same = await theirs.save({ agentId: other, kind: 'TASK', id: 'shared', content: 'x' });
      expect(same.outcome).toBe('created');
      await theirs.delete(other, 'shared');
      const again = await theirs.save({ agentId: other, kind: 'CODE', content: 'y', once: true });
      await theirs.archive(other, again.item.id);
      expect(await seenBy(mine, agent)).toEqual(before);
    }),
    { numRuns: 60 },
  );
});

it('an id that is no text reaches no item', async () => {
  const { items } = await openStore(memoryBackend());
  await items.save({ agentId: 'a', kind: 'TASK', id: '*', content: 'x' });
  for (const id of [['*'], { $gt: '' }, undefined, null, 5]) {
    // What arrives over a network may be anything.
    const foreign = id as unknown as string;
    await expect(items.get('a', foreign)).rejects.toThrow();
    await expect(items.touch(foreign, '*')).rejects.toThrow();
  }
});

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextStore } from '@ctx/store';
import { expect, it } from 'vitest';
import { openFsStore } from './open-fs-store.ts';
import { freshFolder } from './test-support/folder.ts';

const open = (path: string): Promise<ContextStore> =>
  openFsStore({ path, durability: 'process', onQuarantine: () => undefined });

/** Cuts off every file below the folder that holds the word. */
function damage(folder: string, word: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isRecord = entry.isFile() && path.endsWith('.json');
    if (!isRecord) continue;
    const text = readFileSync(path, 'utf8');
    if (text.includes(word)) writeFileSync(path, text.slice(0, 50));
  }
}

it('every list names each record that was set aside, at the first time, later and without the index', async () => {
  const folder = freshFolder();
  const store = await open(folder);
  const saved = await store.items.saveMany(
    ['good', 'walrus', 'ocelot'].map((word) => ({ agentId: 'a', kind: 'TASK', content: word })),
  );
  const other = await store.items.save({ agentId: 'b', kind: 'TASK', content: 'good' });
  await store.close();
  const bad = saved.slice(1).map(({ item }) => item.id);
  damage(folder, 'walrus');
  damage(folder, 'ocelot');
  for (let time = 0; time < 3; time += 1) {
    if (time === 2) rmSync(join(folder, '.index'), { recursive: true });
    const again = await open(folder);
    for (const read of [
      () => again.items.list('a'),
      () => again.items.inTier('a', 'hot'),
      () => again.items.briefs('a', 'hot'),
      () => again.items.list('a', { kind: 'TASK', limit: 3 }),
    ]) {
      const { entries, unreadable = [] } = await read();
      expect(entries).toMatchObject([{ content: 'good' }]);
      expect(unreadable).toHaveLength(2);
      for (const id of bad) expect(unreadable.join()).toContain(id);
    }
    const { items, unreadable, fits } = await again.items.load('a');
    expect([items.length, unreadable?.length, fits]).toEqual([1, 2, false]);
    const { entries, unreadable: none } = await again.items.list('b');
    expect([entries[0]?.id, none]).toEqual([other.item.id, undefined]);
    await again.close();
  }
});

it('lists that read no bodies name what was set aside, too', async () => {
  const folder = freshFolder();
  const store = await open(folder);
  for (const id of ['good', 'walrus']) {
    await store.sessions.update(id, (session) => ({ ...session, title: `the ${id}` }));
    await store.outputs.save({ sessionId: 's', toolName: id, args: {}, result: `the ${id}` });
  }
  await store.close();
  damage(folder, 'the walrus');
  const again = await open(folder);
  await expect(again.sessions.get('walrus')).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
  const { entries: pointers } = await again.outputs.pointers({ sessionId: 's' });
  const loads = pointers.map(({ id }) => again.outputs.load({ sessionId: 's', id }));
  expect((await Promise.allSettled(loads)).map(({ status }) => status)).toContain('rejected');
  const sessions = await again.sessions.list();
  expect(sessions.entries).toMatchObject([{ id: 'good' }]);
  expect(sessions.unreadable).toEqual([expect.stringContaining('"walrus"')]);
  const outputs = await again.outputs.pointers({ sessionId: 's' });
  expect(outputs.entries).toMatchObject([{ toolName: 'good' }]);
  expect(outputs.unreadable).toEqual([expect.stringContaining('walrus_')]);
  expect(await again.outputs.pointers({ sessionId: 'other' })).toEqual({ entries: [] });
  await again.close();
});

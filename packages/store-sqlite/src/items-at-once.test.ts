import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { expect, test } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { bundleChild, endOf, startChild } from './test-support/run-child.ts';

async function openTwo() {
  const path = join(temporaryFolder(), 'ctx.db');
  const open = () => openStore(sqliteBackend({ path }));
  const [one, two] = [await open(), await open()];
  const close = async (): Promise<void> => {
    await one.close();
    await two.close();
  };
  return { path, one: one.items, two: two.items, close };
}

test('no access is lost that two stores on one file count at once', async () => {
  const { one, two, close } = await openTwo();
  await one.save({ agentId: 'a', kind: 'CODE', id: 'x', content: 'word' });
  await Promise.all(
    Array.from({ length: 25 }, (_, at) => [
      one.touch('a', 'x'),
      two.get('a', 'x'),
      at % 2 === 0 ? one.search('a', { text: 'word' }) : two.pin('a', 'x'),
    ]).flat(),
  );
  expect(await two.get('a', 'x', { peek: true })).toMatchObject({ accessCount: 63, pinned: true });
  expect((await one.stats('a')).items).toBe(1);
  await close();
});

test('what two stores save once at the same time stands there once', async () => {
  const { one, two, close } = await openTwo();
  const input = { agentId: 'a', kind: 'CODE', content: 'x = 1', once: true };
  const saved = await Promise.all([one, two, one, two].map((items) => items.save(input)));
  expect(saved.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  expect(new Set(saved.map(({ item }) => item.id)).size).toBe(1);
  expect((await one.stats('a')).items).toBe(1);
  await close();
});

test('no access is lost that processes count at once', { timeout: 60_000 }, async () => {
  const { path, one, close } = await openTwo();
  await one.save({ agentId: 'a', kind: 'CODE', id: 'x', content: 'word' });
  const program = await bundleChild('touch-item');
  const ends = await Promise.all([1, 2].map(() => endOf(startChild(program, [path, '50']))));
  expect(ends.map(({ code, errors }) => [code, errors])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect((await one.get('a', 'x', { peek: true }))?.accessCount).toBe(100);
  await close();
});

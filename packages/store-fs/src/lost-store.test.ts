import { mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fsBackend } from './fs-backend.ts';
import { markName } from './lock/store-mark.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut, testCollections } from './test-support/records.ts';

/** A store with two records, closed. */
async function filled(): Promise<string> {
  const folder = freshFolder();
  const backend = await openBackend(folder);
  await backend.write([outputPut('one', 1), sessionPut('one', 1)]);
  await backend.close();
  return folder;
}

const remove = (folder: string, ...names: readonly string[]): void => {
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
};

const losses: readonly (readonly [string, (folder: string) => void])[] = [
  [
    'its records',
    (folder) => {
      remove(folder, 't');
    },
  ],
  [
    'all files of its records, not their folders',
    (folder) => {
      remove(folder, 't');
      mkdirSync(join(folder, 't/outputs/s'), { recursive: true });
    },
  ],
  [
    'all but its mark',
    (folder) => {
      remove(folder, ...readdirSync(folder).filter((name) => name !== markName));
    },
  ],
  [
    'its records, and what its index holds',
    (folder) => {
      remove(folder, 't');
      const index = join(folder, '.index');
      for (const name of readdirSync(index)) truncateSync(join(index, name));
    },
  ],
];

test.each(
  losses.flatMap(([what, lose]) => [false, true].map((only) => [what, only, lose] as const)),
)('a store that lost %s is refused with the reason (read only: %s)', async (_, readOnly, lose) => {
  const folder = await filled();
  lose(folder);
  for (let time = 0; time < 2; time += 1) {
    const opened = fsBackend({ path: folder, readOnly }).open(testCollections);
    await expect(opened).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
    await expect(fsBackend({ path: folder, readOnly }).open(testCollections)).rejects.toThrow(
      /is empty, and held records before; it was left as it is: bring its files back/,
    );
  }
  expect(treeOf(folder)).toContain(markName);
});

test('a store whose records were deleted, and a folder that was emptied altogether, are opened', async () => {
  const folder = await filled();
  const backend = await openBackend(folder);
  const keys = [
    ['outputs', 't', 's', 'one'],
    ['sessions', 't', 'one'],
  ];
  await backend.write(
    keys.map(([collection = '', ...key]) => ({ type: 'delete', collection, key })),
  );
  await backend.close();
  await (await openBackend(folder)).close();
  remove(folder, '.index');
  await (await openBackend(folder)).close();
  const lost = await filled();
  remove(lost, ...readdirSync(lost));
  const anew = await openBackend(lost);
  expect(await anew.get('outputs', [['t', 's', 'one']])).toEqual([undefined]);
});

test('a store whose index is lost comes back from its files', async () => {
  const folder = await filled();
  remove(folder, '.index', '.lock');
  const backend = await openBackend(folder);
  expect(await backend.get('outputs', [['t', 's', 'one']])).toMatchObject([{ version: 1 }]);
});

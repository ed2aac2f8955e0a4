import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StoreBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { indexFolderName } from './files/file-layout.ts';
import { fsBackend } from './fs-backend.ts';
import { freshFolder, openBackend } from './test-support/folder.ts';
import { outputPut, sessionPut, testCollections } from './test-support/records.ts';

function journalIn(folder: string): string {
  const [name = ''] = readdirSync(join(folder, indexFolderName)).filter((each) =>
    each.startsWith('journal-'),
  );
  return join(folder, indexFolderName, name);
}

async function contents(backend: StoreBackend): Promise<unknown[]> {
  const query = { collection: 'outputs', index: 'by_number', equal: ['t', 's'] };
  const found: unknown[] = [];
  for await (const record of backend.scan(query)) {
    const hits = await backend.search({ ...query, words: [record.key[2] ?? ''], limit: 9 });
    found.push([record.key[2], record.version, record.columns['number'], hits.length]);
  }
  return found;
}

async function filled(folder: string): Promise<void> {
  const backend = await openBackend(folder);
  await backend.write([outputPut('a', 5), outputPut('b', 4), outputPut('c', 3)]);
  await backend.write([outputPut('a', 1)]);
  const key = ['t', 's', 'b'];
  await backend.write([{ type: 'patch', collection: 'outputs', key, columns: { number: 2 } }]);
  await backend.write([{ type: 'delete', collection: 'outputs', key: ['t', 's', 'c'] }]);
  await backend.close();
}

const expected = [
  ['a', 2, 1, 1],
  ['b', 2, 2, 1],
];

describe('the index', () => {
  it.each<readonly [string, (journal: string) => void]>([
    ['is as it was left', () => undefined],
    [
      'is missing',
      (journal) => {
        rmSync(journal);
      },
    ],
    [
      'lost its folder',
      (journal) => {
        rmSync(join(journal, '..'), { recursive: true });
      },
    ],
    [
      'is empty',
      (journal) => {
        truncateSync(journal, 0);
      },
    ],
    [
      'is cut off',
      (journal) => {
        truncateSync(journal, statSync(journal).size - 10);
      },
    ],
    [
      'has a torn line at its end',
      (journal) => {
        appendFileSync(journal, '01234567 {"type":"wri');
      },
    ],
    [
      'has a flipped byte',
      (journal) => {
        const bytes = readFileSync(journal);
        bytes[100] = (bytes[100] ?? 0) ^ 1;
        writeFileSync(journal, bytes);
      },
    ],
    [
      'is foreign',
      (journal) => {
        writeFileSync(journal, 'hello\n');
      },
    ],
  ])('gives all records after a reopen where it %s', async (_, damage) => {
    const folder = freshFolder();
    await filled(folder);
    damage(journalIn(folder));
    for (let time = 0; time < 2; time++) {
      const backend = await openBackend(folder);
      expect(await contents(backend)).toEqual(expected);
      await backend.close();
    }
  });

  it('is rebuilt where an older one was put in its place', async () => {
    const folder = freshFolder();
    await filled(folder);
    const copy = join(freshFolder(), 'index');
    cpSync(join(folder, indexFolderName), copy, { recursive: true });
    const backend = await openBackend(folder);
    await backend.write([outputPut('d', 9)]);
    await backend.close();
    rmSync(join(folder, indexFolderName), { recursive: true });
    cpSync(copy, join(folder, indexFolderName), { recursive: true });
    expect(await contents(await openBackend(folder))).toEqual([...expected, ['d', 1, 9, 1]]);
  });

  it('is rebuilt under the feet of a store that is open', async () => {
    const folder = freshFolder();
    await filled(folder);
    const backend = await openBackend(folder);
    rmSync(join(folder, indexFolderName), { recursive: true });
    await backend.write([outputPut('d', 9)]);
    expect(await contents(backend)).toEqual([...expected, ['d', 1, 9, 1]]);
    await backend.close();
    expect(await contents(await openBackend(folder))).toEqual([...expected, ['d', 1, 9, 1]]);
  });

  it('stays small however often one record changes', async () => {
    const folder = freshFolder();
    const backend = await openBackend(folder, { durability: 'process' });
    for (let number = 1; number <= 1_200; number++)
      await backend.write([sessionPut('one', number)]);
    expect(readFileSync(journalIn(folder), 'utf8').split('\n').length).toBeLessThan(1_100);
    expect((await backend.get('sessions', [['t', 'one']]))[0]?.version).toBe(1_200);
    await backend.close();
  });

  it('keeps the records of collections that this time were not opened', async () => {
    const folder = freshFolder();
    await filled(folder);
    const sessions = fsBackend({ path: folder });
    await sessions.open(testCollections.slice(0, 1));
    await sessions.write([sessionPut('one', 1)]);
    await sessions.write([{ type: 'delete', collection: 'sessions', key: ['t', 'one'] }]);
    await sessions.close();
    expect(await contents(await openBackend(folder))).toEqual(expected);
  });

  it('builds an index that was declared later', async () => {
    const folder = freshFolder();
    await filled(folder);
    const [, outputs] = testCollections;
    const backend = fsBackend({ path: folder });
    if (outputs === undefined) throw new Error('no collection of outputs');
    const indexes = [{ name: 'all', fields: ['tenant', 'number'] }];
    await backend.open([{ ...outputs, indexes }]);
    const found: unknown[] = [];
    const query = { collection: 'outputs', index: 'all', equal: ['t'], descending: true };
    for await (const record of backend.scan(query)) found.push(record.key[2]);
    expect(found).toEqual(['b', 'a']);
    await backend.close();
  });
});

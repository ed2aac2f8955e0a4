import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fsBackend } from './fs-backend.ts';
import { markName } from './lock/store-mark.ts';
import type { QuarantineReport } from './store-options.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut, testCollections } from './test-support/records.ts';

function addFile(folder: string, path: string, text = '{"a":1}'): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const foreignFiles = [
  'package.json',
  'proj/package.json',
  'proj/sub/package.json',
  'proj/node_modules/one/two/three/package.json',
  'proj/sessions/too/deep.json',
  'proj/outputs/shallow.json',
  'proj/outputs/s/too/deep.json',
  'proj/outputs/A.b/no-name-of-ours.json',
  'proj/outputs/s/No.name.json',
  'proj/sub/.tmp-1-0123456789abcdef',
];

async function filledStore(folder: string): Promise<void> {
  const backend = await openBackend(folder);
  await backend.write([outputPut('one', 1), sessionPut('one', 1)]);
  await backend.close();
}

describe('a file in the place of a folder', () => {
  it.each([false, true])('is named, with what to give (read-only: %s)', async (readOnly) => {
    const path = join(freshFolder(), 'notes.txt');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'mine');
    const opened = fsBackend({ path, readOnly }).open(testCollections);
    await expect(opened).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    await expect(opened).rejects.toThrow('is a file, and a store of files is a folder; name');
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});

describe('a folder that is no store', () => {
  it.each<readonly [string, readonly string[]]>([
    ['a repository', foreignFiles],
    ['one file', ['note.txt']],
    ['a record without its store', ['t/outputs/s/one.json']],
    ['a foreign file of the name of the mark', [markName]],
    ['folders called like those of a store', ['.lock/pid', '.index/HEAD']],
  ])('is refused and left as it is: %s', async (_, files) => {
    const folder = freshFolder();
    for (const path of files) addFile(folder, path);
    const before = treeOf(folder);
    const refused = expect(openBackend(folder)).rejects;
    await refused.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    const text = `${folder} is not empty and is no store of ctx; give an empty or a new folder`;
    await expect(openBackend(folder)).rejects.toThrow(text);
    expect(treeOf(folder)).toEqual(before);
  });

  it('is refused where its mark is a link', async () => {
    const folder = freshFolder();
    const store = freshFolder();
    await filledStore(store);
    symlinkSync(join(store, markName), join(folder, markName));
    await expect(openBackend(folder)).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    expect(treeOf(folder)).toEqual([markName]);
  });

  it('is refused where a later version made it', async () => {
    const folder = freshFolder();
    addFile(folder, markName, '{"ctx":"store-fs","version":5}');
    await expect(openBackend(folder)).rejects.toThrow(/newer version/);
    expect(treeOf(folder)).toEqual([markName]);
  });
});

describe('the mark of a store', () => {
  it('is made in a folder that is empty or missing, by whoever comes first', async () => {
    const parent = freshFolder();
    for (const folder of [parent, join(parent, 'deep/store')]) {
      await Promise.all([openBackend(folder), openBackend(folder)]);
      expect(JSON.parse(readFileSync(join(folder, markName), 'utf8'))).toEqual({
        ctx: 'store-fs',
        version: 4,
        collections: { outputs: 3, sessions: 2 },
      });
      expect(readdirSync(folder).filter((name) => name.startsWith('.tmp'))).toEqual([]);
    }
  });

  it('is put into a store that was made without one', async () => {
    const folder = freshFolder();
    await filledStore(folder);
    rmSync(join(folder, markName));
    const backend = await openBackend(folder);
    expect(await backend.get('outputs', [['t', 's', 'one']])).toMatchObject([{ version: 1 }]);
    expect(treeOf(folder)).toContain(markName);
  });

  it.each(['', '\u0000\u0000', '{"ctx":"store-fs","version":1}', '{"ctx":"other"}'])(
    'may have lost its content (%j) in a store',
    async (text) => {
      const folder = freshFolder();
      await filledStore(folder);
      writeFileSync(join(folder, markName), text);
      const backend = await openBackend(folder);
      expect(await backend.get('outputs', [['t', 's', 'one']])).toMatchObject([{ version: 1 }]);
    },
  );

  it('suffices to bring the records back where nothing else of the store is left', async () => {
    const folder = freshFolder();
    await filledStore(folder);
    for (const name of ['.index', '.lock']) rmSync(join(folder, name), { recursive: true });
    const backend = await openBackend(folder);
    expect(await backend.get('outputs', [['t', 's', 'one']])).toMatchObject([{ version: 1 }]);
  });

  it('names the collections of all who opened it, so that a rebuild by one keeps those of all', async () => {
    const folder = freshFolder();
    await filledStore(folder);
    rmSync(join(folder, '.index'), { recursive: true });
    const sessions = fsBackend({ path: folder });
    await sessions.open(testCollections.slice(0, 1));
    await sessions.close();
    const backend = await openBackend(folder);
    const query = { collection: 'outputs', index: 'by_number', equal: ['t', 's'] };
    expect(await backend.tally(query)).toEqual([{ group: [], count: 1, sums: [] }]);
  });
});

describe('foreign files inside a store', () => {
  it('stay where they are through rebuilds, and are no records', async () => {
    const folder = freshFolder();
    await filledStore(folder);
    for (const path of foreignFiles) addFile(folder, path);
    rmSync(join(folder, '.index'), { recursive: true });
    rmSync(join(folder, '.lock'), { recursive: true });
    const reports: QuarantineReport[] = [];
    const onQuarantine = (report: QuarantineReport): void => {
      reports.push(report);
    };
    const backend = await openBackend(folder, { onQuarantine });
    expect(await backend.get('outputs', [['t', 's', 'one']])).toMatchObject([{ version: 1 }]);
    expect(reports).toEqual([]);
    expect(treeOf(folder)).toEqual(expect.arrayContaining(foreignFiles));
  });

  it('are set aside and reported where they lie in the place of a record', async () => {
    const folder = freshFolder();
    await filledStore(folder);
    addFile(folder, 'proj/sessions/one.json');
    rmSync(join(folder, '.index'), { recursive: true });
    const reports: QuarantineReport[] = [];
    const onQuarantine = (report: QuarantineReport): void => {
      reports.push(report);
    };
    await openBackend(folder, { onQuarantine });
    expect(reports).toMatchObject([{ path: 'proj/sessions/one.json', restored: false }]);
  });
});

import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PutOperation } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordPath } from './files/file-layout.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut } from './test-support/records.ts';

const hostileIds = [
  '',
  '.',
  '..',
  '../..',
  '../../../../etc/passwd',
  '..%2f..%2fx',
  '%2e%2e',
  'C:\\x',
  'CON',
  'con.json',
  'a/b',
  'a\\b',
  '-rf',
  '.index',
  '.lock',
  'Ä',
  'A\u0308',
  'x'.repeat(300),
  '😀'.repeat(100),
  'name.json',
  'name.json.prev',
  '__proto__',
  'a\nb',
];

function putFor(tenant: string, session: string, id: string): PutOperation {
  const body = JSON.stringify({ tenant, session, id });
  return {
    type: 'put',
    collection: 'outputs',
    key: [tenant, session, id],
    columns: { number: 1 },
    body,
  };
}

describe('where files lie', () => {
  it('is inside the folder for every key, and nowhere twice', () => {
    const part = fc.oneof(
      fc.constantFrom(...hostileIds),
      fc.string(),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (one, two) => {
        const [first, second] = [recordPath('outputs', one), recordPath('outputs', two)];
        expect(first.split('/')).toHaveLength(4);
        for (const name of first.split('/'))
          expect(name).toMatch(/^[a-z0-9_=+][a-z0-9_=+~-]*(\.json)?$/);
        const isSame = JSON.stringify(one) === JSON.stringify(two);
        expect(first.toLowerCase() === second.toLowerCase()).toBe(isSame);
      }),
    );
  });

  it('keeps a record for each hostile id and touches nothing beside the folder', async () => {
    const parent = freshFolder();
    writeFileSync(join(parent, 'beside'), 'untouched');
    mkdirSync(join(parent, 'store-evil'));
    const backend = await openBackend(join(parent, 'store'));
    const puts = hostileIds.flatMap((id) => [
      putFor('t', 's', id),
      putFor('t', id, 'x'),
      putFor(id, 's', 'x'),
    ]);
    await backend.write(puts);
    const found = await backend.get(
      'outputs',
      puts.map(({ key }) => key),
    );
    expect(found.map((record) => record?.body)).toEqual(puts.map(({ body }) => body));
    await backend.close();
    const outside = treeOf(parent).filter((path) => path !== 'store' && !path.startsWith('store/'));
    expect(outside).toEqual(['beside', 'store-evil']);
    expect(readFileSync(join(parent, 'beside'), 'utf8')).toBe('untouched');
  });

  it('is never behind a link', async () => {
    const parent = freshFolder();
    const backend = await openBackend(join(parent, 'store'));
    await backend.write([outputPut('one', 1)]);
    mkdirSync(join(parent, 'elsewhere/s'), { recursive: true });
    mkdirSync(join(parent, 'store/linked'));
    symlinkSync(join(parent, 'elsewhere'), join(parent, 'store/linked/outputs'));
    const refused = backend.write([putFor('linked', 's', 'x')]);
    await expect(refused).rejects.toMatchObject({ code: 'CTX_NOT_ALLOWED' });
    expect(treeOf(join(parent, 'elsewhere'))).toEqual(['s']);
    expect((await backend.get('outputs', [['t', 's', 'one']]))[0]?.version).toBe(1);
  });
});

describe('who may read the files', () => {
  it.each([0o000, 0o022, 0o077])('is nobody else under umask %o', async (mask) => {
    const before = process.umask(mask);
    try {
      const folder = join(freshFolder(), 'deep/store');
      const backend = await openBackend(folder);
      await backend.write([sessionPut('one', 1), outputPut('one', 1)]);
      await backend.write([sessionPut('one', 2)]);
      writeFileSync(join(folder, 't/outputs/s/one.json'), 'damaged');
      await expect(backend.get('outputs', [['t', 's', 'one']])).rejects.toThrow();
      await backend.close();
      const modes = treeOf(folder)
        .filter((path) => !path.endsWith('-one.json'))
        .map((path) => {
          const stats = lstatSync(join(folder, path));
          return [path, (stats.mode & 0o777).toString(8), stats.isDirectory() ? '700' : '600'];
        });
      expect(modes.length).toBeGreaterThan(10);
      for (const [path, mode, wanted] of modes) expect(`${path} ${mode}`).toBe(`${path} ${wanted}`);
      expect((lstatSync(folder).mode & 0o777).toString(8)).toBe('700');
    } finally {
      process.umask(before);
    }
  });
});

describe('what was deleted', () => {
  it('is in no file once the store is closed', async () => {
    const folder = freshFolder();
    const backend = await openBackend(folder);
    await backend.write([sessionPut('secret', 1), outputPut('hidden', 1), outputPut('stays', 1)]);
    await backend.write([sessionPut('secret', 2)]);
    await backend.write([
      { type: 'delete', collection: 'sessions', key: ['t', 'secret'] },
      { type: 'delete', collection: 'outputs', key: ['t', 's', 'hidden'] },
    ]);
    await backend.close();
    const text = treeOf(folder)
      .filter((path) => lstatSync(join(folder, path)).isFile())
      .map((path) => path + readFileSync(join(folder, path), 'latin1'))
      .join('\n');
    expect(text).not.toMatch(/secret|hidden/);
    expect(text).toMatch(/stays/);
  });
});

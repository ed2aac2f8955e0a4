import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import type { StoreBackend } from '@ctx/store/backend';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fsBackend } from './fs-backend.ts';
import { bundledChild } from './test-support/child.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut, testCollections } from './test-support/records.ts';

async function openReader(path: string): Promise<StoreBackend> {
  const backend = fsBackend({ path, readOnly: true });
  onTestFinished(() => backend.close());
  await backend.open(testCollections);
  return backend;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'resolved',
    (thrown: unknown) => thrown,
  );
  return isCtxError(error) ? error.code : String(error);
}

/** Everything in a folder that a write would change. */
function stateOf(folder: string): string[] {
  return treeOf(folder).map((path) => {
    const { mode, mtimeMs, ctimeMs, size } = lstatSync(join(folder, path));
    return [path, mode, mtimeMs, ctimeMs, size].join(' ');
  });
}

async function found(backend: StoreBackend, ...words: string[]): Promise<(string | undefined)[]> {
  const query = { collection: 'outputs', equal: ['t'], words, limit: 99 };
  return (await backend.search(query)).map(({ key }) => key[2]).sort();
}

async function bodyOf(backend: StoreBackend, id: string): Promise<unknown> {
  const [record] = await backend.get('outputs', [['t', 's', id]]);
  return record === undefined ? undefined : JSON.parse(record.body);
}

/** A folder as a process leaves it that is killed: its journal is not closed. */
async function killedStore(): Promise<string> {
  const [folder, copy] = [freshFolder(), join(freshFolder(), 'copy')];
  const backend = fsBackend({ path: folder });
  onTestFinished(() => backend.close());
  await backend.open(testCollections);
  await backend.write([sessionPut('one', 1), outputPut('a', 1), outputPut('b', 2)]);
  await backend.write([outputPut('c', 3)]);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

describe('a folder that is only read', () => {
  it('is read, counted and searched, and stays as it is', async () => {
    const folder = await killedStore();
    const before = stateOf(folder);
    const backend = await openReader(folder);
    expect(await bodyOf(backend, 'a')).toMatchObject({ id: 'a' });
    expect(await backend.tally({ collection: 'outputs', index: 'key', equal: ['t'] })).toEqual([
      { group: [], count: 3, sums: [] },
    ]);
    expect(await found(backend, 'output')).toEqual(['a', 'b', 'c']);
    expect(await found(backend, 'c')).toEqual(['c']);
    expect(await codeOf(backend.write([outputPut('d', 4)]))).toBe('CTX_STORE_READ_ONLY');
    await backend.close();
    expect(stateOf(folder)).toEqual(before);
  });

  it('is read from its records where the index is gone or cannot be trusted', async () => {
    const folder = await killedStore();
    const journals = readdirSync(join(folder, '.index'));
    const [journal = ''] = journals.filter((name) => name.startsWith('journal-'));
    const path = join(folder, '.index', journal);
    writeFileSync(path, readFileSync(path).subarray(0, 100));
    const cut = await openReader(folder);
    expect(await found(cut, 'output')).toEqual(['a', 'b', 'c']);
    rmSync(join(folder, '.index'), { recursive: true });
    const before = stateOf(folder);
    const gone = await openReader(folder);
    expect(await found(gone, 'output')).toEqual(['a', 'b', 'c']);
    expect(await bodyOf(gone, 'c')).toMatchObject({ id: 'c' });
    expect(stateOf(folder)).toEqual(before);
  });

  it('names a damaged file and leaves it in its place', async () => {
    const folder = await killedStore();
    writeFileSync(join(folder, 't/outputs/s/a.json'), '{"broken');
    const before = stateOf(folder);
    const known = await openReader(folder);
    expect(await codeOf(bodyOf(known, 'a'))).toBe('CTX_STORE_CORRUPT');
    expect(await bodyOf(known, 'b')).toMatchObject({ id: 'b' });
    expect(stateOf(folder)).toEqual(before);
    rmSync(join(folder, '.index'), { recursive: true });
    const rebuilt = await openReader(folder);
    const error: unknown = await bodyOf(rebuilt, 'a').catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('lies in t/outputs/s/a.json');
    expect(await found(rebuilt, 'output')).toEqual(['b', 'c']);
  });

  it('shows what others write meanwhile, a compaction of the index included', async () => {
    const folder = freshFolder();
    const writer = await openBackend(folder);
    await writer.write([outputPut('a', 1)]);
    const reader = await openReader(folder);
    expect(await bodyOf(reader, 'a')).toMatchObject({ number: 1 });
    const ids = ['a', ...Array.from({ length: 99 }, (_, at) => `b${at}`)];
    for (let number = 2; number < 14; number++) {
      const puts = ids.map((id) => outputPut(id, number));
      await writer.write(puts, { durability: 'process' });
      expect(await bodyOf(reader, 'b98')).toMatchObject({ number });
    }
    const journals = readdirSync(join(folder, '.index'));
    expect(journals.some((name) => /^journal-[2-9]/.test(name))).toBe(true);
    await writer.write([{ type: 'delete', collection: 'outputs', key: ['t', 's', 'a'] }]);
    expect(await bodyOf(reader, 'a')).toBeUndefined();
  });

  it('is never made: a folder that is missing, empty or foreign is refused', async () => {
    const folder = freshFolder();
    expect(await codeOf(openReader(join(folder, 'none')))).toBe('CTX_STORE_IO');
    expect(await codeOf(openReader(folder))).toBe('CTX_INVALID_INPUT');
    expect(treeOf(folder)).toEqual([]);
  });
});

describe('a folder that this user cannot write', () => {
  it('can be read, and only without readOnly is it refused', async (context) => {
    if (process.getuid?.() === 0) return context.skip('root may write everywhere');
    const folder = await killedStore();
    const folders = ['', ...treeOf(folder)].map((path) => join(folder, path));
    const chmodAll = (mode: number): void => {
      for (const path of folders) if (lstatSync(path).isDirectory()) chmodSync(path, mode);
    };
    chmodAll(0o500);
    onTestFinished(() => {
      chmodAll(0o700);
    });
    expect(await found(await openReader(folder), 'output')).toEqual(['a', 'b', 'c']);
    expect(await codeOf(openBackend(folder))).toBe('CTX_STORE_READ_ONLY');
  });

  it('can be read on a disk that is mounted read-only, by root as well', async (context) => {
    const folder = freshFolder();
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const backend = await openBackend(join(disk, 'store'));
    await backend.write([sessionPut('one', 1), outputPut('a', 1)]);
    await backend.close();
    const script =
      'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && "$2" "$3" read "$1/store"';
    const args = ['-rm', 'sh', '-c', script, 'sh', disk, process.execPath, await bundledChild()];
    const { status, stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    if (status !== 0 && /unshare|mount/.test(stderr)) return context.skip('mounting is forbidden');
    expect([stdout, stderr]).toEqual(['t/s/a\nCTX_STORE_READ_ONLY\n', '']);
  });
});

import { fstatSync, ftruncateSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteOperation } from '@ctx/store/backend';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncFileAt } from './files/write-atomically.ts';
import { lockFolderName } from './lock/store-lock.ts';
import { type CallWatch, systemError, watchCalls } from './test-support/failing-calls.ts';
import { freshFolder, openBackend } from './test-support/folder.ts';
import { outputPut, sessionPut } from './test-support/records.ts';

const own = process.platform;
let watch: CallWatch | undefined;

function setPlatform(value: NodeJS.Platform): void {
  Object.defineProperty(process, 'platform', { value });
}

beforeEach(() => {
  setPlatform('win32');
});

afterEach(() => {
  watch?.stop();
  setPlatform(own);
});

const before: readonly WriteOperation[] = [sessionPut('changed', 1, 100), outputPut('removed', 1)];
const batch: readonly WriteOperation[] = [
  sessionPut('changed', 2, 100),
  outputPut('made', 2),
  { type: 'delete', collection: 'outputs', key: ['t', 's', 'removed'] },
];

/** Refuses to move and to delete files as often as told, as a virus scanner does that looks at each new file. */
function holdFiles(code: string, times: number): void {
  let left = times;
  watch = watchCalls((_, name) => {
    if (name !== 'renameSync' && name !== 'unlinkSync') return;
    left -= 1;
    if (left >= 0) throw systemError(code);
  });
}

async function numbersIn(folder: string): Promise<string> {
  const backend = await openBackend(folder);
  const [changed] = await backend.get('sessions', [['t', 'changed']]);
  const outputs = await backend.get('outputs', [
    ['t', 's', 'made'],
    ['t', 's', 'removed'],
  ]);
  await backend.close();
  return [changed, ...outputs].map((record) => record?.columns['number'] ?? 0).join(' ');
}

describe.each(['EBUSY', 'EPERM', 'EACCES'])('a file that another program holds (%s)', (code) => {
  it('is waited for, and the write is done', async () => {
    const folder = freshFolder();
    const backend = await openBackend(folder);
    await backend.write(before);
    holdFiles(code, 4);
    await backend.write(batch);
    await backend.close();
    watch?.stop();
    expect(await numbersIn(folder)).toBe('2 2 0');
  });

  it('is an error if it stays held, and the next write is done', async () => {
    const folder = freshFolder();
    const backend = await openBackend(folder);
    await backend.write(before);
    let isHeld = true;
    watch = watchCalls((_, name) => {
      const isExchange = name === 'renameSync' && new Error().stack?.includes('exchange') === true;
      if (isHeld && isExchange) throw systemError(code);
    });
    await expect(backend.write(batch)).rejects.toMatchObject({
      code: code === 'EACCES' ? 'CTX_STORE_READ_ONLY' : 'CTX_STORE_IO',
    });
    isHeld = false;
    expect(await numbersIn(folder)).toBe('1 0 1');
    await backend.write(batch);
    await backend.close();
    expect(await numbersIn(folder)).toBe('2 2 0');
  });

  it('is a final answer on another system', async () => {
    setPlatform('linux');
    const backend = await openBackend(freshFolder());
    await backend.write(before);
    holdFiles(code, 4);
    await expect(backend.write(batch)).rejects.toThrow(code);
    watch?.stop();
    await backend.close();
  });
});

it('flushes no folder, which Windows refuses', async () => {
  const folder = freshFolder();
  const flushed: string[] = [];
  const open = await openBackend(folder);
  watch = watchCalls((_, name, given) => {
    if (name !== 'fsync') return;
    if (!fstatSync(Number(given[0])).isDirectory()) flushed.push('file');
    else throw systemError('EPERM');
  });
  await open.write(before);
  await open.write(batch);
  await open.close();
  watch.stop();
  expect(flushed).not.toEqual([]);
  expect(await numbersIn(folder)).toBe('2 2 0');
});

it('takes a lock that another process made first, of which Windows says EPERM', async () => {
  const folder = freshFolder();
  const lock = join(folder, lockFolderName);
  let made = 0;
  watch = watchCalls((_, name, [, to]) => {
    if (name !== 'renameSync' || to !== lock) return;
    made += 1;
    mkdirSync(lock);
    writeFileSync(join(lock, '0-0-0-free'), '');
    throw systemError('EPERM');
  });
  const backend = await openBackend(folder);
  await backend.write(before);
  await backend.write(batch);
  await backend.close();
  watch.stop();
  expect([made, await numbersIn(folder)]).toEqual([1, '2 2 0']);
});

it('flushes no file that is open only to be read, which Windows refuses', async () => {
  const path = join(freshFolder(), 'file');
  writeFileSync(path, 'text');
  const flushed: number[] = [];
  watch = watchCalls((_, name, [file]) => {
    if (name !== 'fsync') return;
    ftruncateSync(Number(file), 4); // only where the file may be written
    flushed.push(Number(file));
  });
  await syncFileAt(path);
  expect(flushed).toHaveLength(1);
});

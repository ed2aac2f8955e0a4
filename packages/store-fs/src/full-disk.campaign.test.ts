import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeRecordFile } from './files/record-file.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut } from './test-support/records.ts';

let mounted = '';

/** A disk of 256 KiB; undefined where this user may not mount. */
function smallDisk(): string | undefined {
  const folder = join(freshFolder(), 'disk');
  mkdirSync(folder);
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'tmpfs', folder]);
  if (done.status !== 0) return undefined;
  mounted = folder;
  return folder;
}

afterEach(() => {
  if (mounted !== '') execFileSync('umount', ['-l', mounted]);
  mounted = '';
});

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Fills the disk up to so many free bytes. */
function fill(folder: string, left: number): void {
  mkdirSync(join(folder, 'ballast'), { recursive: true });
  const path = join(folder, 'ballast', String(left));
  writeFileSync(path, Buffer.alloc(Math.max(0, freeBytes(folder) - left)));
}

function tornFiles(folder: string): string[] {
  return treeOf(folder)
    .filter((path) => path.endsWith('.json') && path.startsWith('store/t/'))
    .filter((path) => typeof decodeRecordFile(readFileSync(join(folder, path))) === 'string');
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'resolved';
  } catch (error) {
    return isCtxError(error) ? error.code : String(error);
  }
}

describe('a full disk', () => {
  it('fails each write typed, keeps every value before, and lets deletes through', async (context) => {
    const disk = smallDisk();
    if (disk === undefined) return context.skip('mounting a tmpfs needs root');
    const backend = await openBackend(join(disk, 'store'));
    await backend.write([sessionPut('one', 0, 20_000), outputPut('gone', 1, 2_000)]);
    fill(disk, 36_000);
    let kept = 0;
    const codes: string[] = [];
    for (let number = 1; number <= 20; number++) {
      const code = await codeOf(backend.write([sessionPut('one', number, 20_000 + number * 500)]));
      if (code === 'resolved') kept = number;
      codes.push(code);
      const [record] = await backend.get('sessions', [['t', 'one']]);
      expect(JSON.parse(record?.body ?? '')).toMatchObject({ number: kept });
      expect(record?.columns).toEqual({ number: kept });
    }
    expect(new Set(codes)).toEqual(new Set(['resolved', 'CTX_STORE_FULL']));
    expect(tornFiles(disk)).toEqual([]);

    fill(disk, 0);
    expect(freeBytes(disk)).toBe(0);
    expect(await codeOf(backend.write([outputPut('new', 1, 9_000)]))).toBe('CTX_STORE_FULL');
    await backend.write([{ type: 'delete', collection: 'outputs', key: ['t', 's', 'gone'] }]);
    expect(await backend.get('outputs', [['t', 's', 'gone']])).toEqual([undefined]);
    await backend.close();
    const again = await openBackend(join(disk, 'store'));
    expect(
      await again.get('outputs', [
        ['t', 's', 'gone'],
        ['t', 's', 'new'],
      ]),
    ).toEqual([undefined, undefined]);
    expect((await again.get('sessions', [['t', 'one']]))[0]?.columns).toEqual({ number: kept });
    rmSync(join(disk, 'ballast'), { recursive: true });
    await again.write([outputPut('new', 2)]);
    expect((await again.get('outputs', [['t', 's', 'new']]))[0]?.columns).toEqual({ number: 2 });
    expect(treeOf(disk).filter((path) => /\.(tmp|old)-/.test(path))).toEqual([]);
    await again.close();
  });

  it.for<readonly [string, readonly string[]]>([
    ['with files of their own', []],
    ['that share files', ['outputs']],
  ])(
    'lets every record of those %s be deleted where not one byte is free',
    async ([, segments], context) => {
      const disk = smallDisk();
      if (disk === undefined) return context.skip('mounting a tmpfs needs root');
      const backend = await openBackend(join(disk, 'store'), { segments });
      const ids = Array.from({ length: 30 }, (_, at) => `record${at}`);
      for (const id of ids) await backend.write([outputPut(id, 1, 1_000)]);
      for (const id of ids) {
        fill(disk, 0);
        await backend.write([{ type: 'delete', collection: 'outputs', key: ['t', 's', id] }]);
        rmSync(join(disk, 'ballast'), { recursive: true });
      }
      const query = { collection: 'outputs', index: 'key', equal: ['t', 's'] };
      expect(await backend.tally(query)).toEqual([{ group: [], count: 0, sums: [] }]);
      await backend.close();
    },
  );
});

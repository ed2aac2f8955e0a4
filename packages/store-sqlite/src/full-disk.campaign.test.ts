import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreBackend } from '@ctx/store/backend';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { paperIds, papers, putPaper } from './test-support/records.ts';
import { bundleChild, endOf, startChild } from './test-support/run-child.ts';

/** A disk of 8 MiB; undefined where this user may not mount. */
function smallDisk(): string | undefined {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'tmpfs', folder]);
  if (done.status !== 0) return undefined;
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
  });
  return folder;
}

/** Fills the disk up to so many free bytes. */
function fill(folder: string, left: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - left));
}

async function open(path: string): Promise<StoreBackend> {
  const backend = sqliteBackend({ path });
  await backend.open([papers]);
  return backend;
}

const words = { text: Array.from({ length: 200 }, (_, index) => `word${String(index)}`).join(' ') };
const body = JSON.stringify('x'.repeat(20_000));

async function makeStore(path: string): Promise<void> {
  const backend = await open(path);
  for (const id of ['a', 'b', 'c']) await backend.write([putPaper(id, { body, words })]);
  await backend.close();
}

describe('a disk that is full', () => {
  it.for([0, 4096, 8192, 20_480, 40_960])(
    'with %i bytes free lets a store be read and records be deleted, and takes no more',
    async (left, context) => {
      const disk = smallDisk();
      if (disk === undefined) return context.skip('mounting a tmpfs needs root');
      const path = join(disk, 'ctx.db');
      await makeStore(path);
      fill(disk, left);
      const backend = await open(path);
      expect(await paperIds(backend)).toEqual(['a', 'b', 'c']);
      const [read] = await backend.get('papers', [['t', 's', 'b']]);
      expect(read?.body).toBe(body);
      const large = putPaper('d', { body: JSON.stringify(randomBytes(200_000).toString('hex')) });
      await expect(backend.write([large])).rejects.toMatchObject({ code: 'CTX_STORE_FULL' });
      await backend.write([{ type: 'delete', collection: 'papers', key: ['t', 's', 'b'] }]);
      expect(await paperIds(backend)).toEqual(['a', 'c']);
      await backend.close();
      const again = await open(path);
      expect(await paperIds(again)).toEqual(['a', 'c']);
      await again.close();
    },
  );

  it('lets the store of a killed writer be read, with what its log holds', async (context) => {
    const disk = smallDisk();
    if (disk === undefined) return context.skip('mounting a tmpfs needs root');
    const path = join(disk, 'ctx.db');
    const child = startChild(await bundleChild('leave-open'), [path]);
    expect(await endOf(child)).toMatchObject({ code: 0 });
    rmSync(`${path}-shm`, { force: true });
    fill(disk, 8192);
    const backend = await open(path);
    expect(await paperIds(backend)).toEqual(['left']);
    await backend.close();
  });

  it('is held by one process alone, which says so to others, until it closes', async (context) => {
    const disk = smallDisk();
    if (disk === undefined) return context.skip('mounting a tmpfs needs root');
    const path = join(disk, 'ctx.db');
    await makeStore(path);
    fill(disk, 8192);
    const backend = await open(path);
    expect(await paperIds(backend)).toEqual(['a', 'b', 'c']);
    const child = startChild(await bundleChild('add-one'), [path]);
    const other = await endOf(child);
    expect([other.code === 0, `${other.output}${other.errors}`]).toEqual([
      false,
      expect.stringContaining('CTX_STORE_BUSY'),
    ]);
    await backend.close();
    rmSync(join(disk, 'ballast'));
    const again = await open(path);
    await again.write([putPaper('d')]);
    expect(await paperIds(again)).toEqual(['a', 'b', 'c', 'd']);
    await again.close();
  });

  it('lays the reserve in again once there is room', async (context) => {
    const disk = smallDisk();
    if (disk === undefined) return context.skip('mounting a tmpfs needs root');
    const path = join(disk, 'ctx.db');
    await makeStore(path);
    for (const id of ['a', 'b']) {
      fill(disk, 0);
      const backend = await open(path);
      await backend.write([{ type: 'delete', collection: 'papers', key: ['t', 's', id] }]);
      await backend.close();
      rmSync(join(disk, 'ballast'));
      await (await open(path)).close();
    }
    const last = await open(path);
    expect(await paperIds(last)).toEqual(['c']);
    await last.close();
  });
});

import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportMemory, importMemory } from './exchange-folder.ts';
import { openMemory } from './open-memory.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctx-memory-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const open = async () => openMemory(await openStore(memoryBackend()));

describe('a memory and a folder', () => {
  it('hold the same after an export and an import', async () => {
    const memory = await open();
    const files = { '/memories/a.md': 'é\n', '/memories/dir/b.md': '', '/memories/dir/.c': 'c' };
    for (const [path, text] of Object.entries(files)) await memory.write(path, text);
    const target = join(folder, 'out');
    expect(await exportMemory(memory, target)).toEqual({ files: 3, bytes: 4, skipped: [] });
    expect(await readFile(join(target, 'a.md'), 'utf8')).toBe('é\n');
    const modes = await Promise.all(
      ['', 'dir', 'a.md'].map(async (name) => (await stat(join(target, name))).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
    const other = await open();
    expect(await importMemory(other, target)).toMatchObject({ files: 3, skipped: [] });
    for (const [path, text] of Object.entries(files)) expect(await other.read(path)).toBe(text);
  });

  it('are not mixed: a folder that holds something is refused', async () => {
    await writeFile(join(folder, 'mine.txt'), 'mine');
    await expect(exportMemory(await open(), folder)).rejects.toThrow(/not empty/);
  });

  it('follow no link and take no file that is no text', async () => {
    const source = join(folder, 'in');
    await mkdir(source);
    await writeFile(join(folder, 'outside.txt'), 'outside');
    await symlink(join(folder, 'outside.txt'), join(source, 'link.txt'));
    await symlink(folder, join(source, 'up'));
    await writeFile(join(source, 'image.png'), Uint8Array.of(0x89, 0xff, 0xfe));
    await writeFile(join(source, 'good.md'), 'good');
    await writeFile(join(source, 'bad\\name.md'), 'bad');
    const memory = await open();
    const { files, skipped } = await importMemory(memory, source);
    expect(files).toBe(1);
    expect(skipped.map(({ path }) => path).toSorted()).toEqual([
      '/memories/bad\\name.md',
      '/memories/image.png',
      '/memories/link.txt',
      '/memories/up',
    ]);
    expect(await memory.list()).toMatchObject([{ path: '/memories/good.md' }]);
  });

  it('of which a file is too large: it is named, and not read', async () => {
    const memory = openMemory(await openStore(memoryBackend()), { policy: { maxFileBytes: 10 } });
    await writeFile(join(folder, 'large.md'), 'x'.repeat(11));
    await writeFile(join(folder, 'small.md'), 'y');
    expect(await importMemory(memory, folder)).toEqual({
      ...{ files: 1, bytes: 1 },
      skipped: [{ path: '/memories/large.md', reason: '11 bytes, and 10 are allowed' }],
    });
  });
});

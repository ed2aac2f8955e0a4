import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOnce, readWhole } from './read-whole.ts';

describe('reading a whole file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ctx-read-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([0, 1, 40_000, 256 * 1024, 256 * 1024 + 1, 3_000_000])(
    'gives all %i bytes',
    async (size) => {
      const bytes = Buffer.alloc(size, 'abcdefg');
      writeFileSync(join(folder, 'file'), bytes);
      const read = await readWhole(join(folder, 'file'), (whole) => Buffer.from(whole));
      expect(read.equals(bytes)).toBe(true);
    },
  );

  it('gives the bytes of a file of usual size in one read', () => {
    writeFileSync(join(folder, 'file'), 'text');
    expect(readOnce(join(folder, 'file'), (bytes) => bytes.toString())).toBe('text');
  });

  it('gives many files at once their own bytes', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `file ${at}`);
    for (const name of names) writeFileSync(join(folder, name), name.repeat(100));
    const texts = names.map((name) => readWhole(join(folder, name), (bytes) => bytes.toString()));
    expect(await Promise.all(texts)).toEqual(names.map((name) => name.repeat(100)));
  });

  it('fails as the system does where there is no file, or a folder', async () => {
    const read = (path: string) => readWhole(path, (bytes) => bytes.length);
    await expect(read(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(read(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('follows no link', async () => {
    writeFileSync(join(folder, 'file'), 'text');
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    const reading = readWhole(join(folder, 'link'), (bytes) => bytes.length);
    await expect(reading).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

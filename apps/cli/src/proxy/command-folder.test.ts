import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pathWithCommand } from './command-folder.ts';

it('puts ctx on a PATH that lacks it, for shells of both kinds', async () => {
  const { path, folder = '' } = await pathWithCommand({ env: { PATH: '/nowhere' } });
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  expect(path).toBe(`${folder}:/nowhere`);
  const script = readFileSync(join(folder, 'ctx'), 'utf8');
  expect(script).toMatch(/^#!\/bin\/sh\nexec '.+' "\$@"\n$/);
  const [start, ...rest] = readFileSync(join(folder, 'ctx.cmd'), 'utf8').split('\r\n');
  expect(start?.startsWith(`@"${process.execPath}" `)).toBe(true);
  expect([start?.endsWith('" %*'), rest]).toEqual([true, ['']]);
});

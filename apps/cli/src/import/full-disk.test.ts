import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

/** A disk of 2 MiB; undefined where this user may not mount. */
function smallDisk(): string | undefined {
  const folder = join(makeFolder(), 'disk');
  mkdirSync(folder);
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'tmpfs', folder]);
  if (done.status !== 0) return undefined;
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
  });
  return folder;
}

/** Fills the disk up to so many free bytes. */
function fill(folder: string, left: number): string {
  const path = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - left)));
  return path;
}

/** `npm test` tries the first, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';
const disks = [
  ['fs', 0],
  ['fs', 20_000],
  ['fs', 300_000],
  ['sqlite', 0],
  ['sqlite', 300_000],
] as const;

test.for(isCampaign ? disks : disks.slice(0, 1))(
  'an import into a %s store with %i bytes left on the disk says the file, the code and what to do, and goes on once there is room',
  async ([scheme, left], context) => {
    const disk = smallDisk();
    if (disk === undefined) return context.skip('mounting a tmpfs needs root');
    const cwd = makeFolder();
    const store = `${scheme}:${join(disk, 'store')}`;
    writeJsonFile(cwd, 'small.json', longSession('small', 2));
    const run = (...argv: string[]) => runOn({ cwd, isTty: false }, ...argv, '--store', store);
    expect((await run('import', 'small.json')).exitCode).toBe(0);
    writeJsonFile(cwd, 'large.json', longSession('large', 60, 200));
    const ballast = fill(disk, left);
    const told = await run('import', 'small.json', 'large.json');
    expect(told.exitCode).toBe(1);
    expect(told.stderr).toMatch(/^failed: large\.json: .*\(CTX_STORE_FULL\)$/m);
    expect(told.stderr).toContain(
      'Free some room; what was stored before is still readable. Then run the same import again: it replaces what was stored of a file that failed.',
    );
    expect(told.stderr).toContain('unchanged 1 · skipped 0 · failed 1');
    const { files } = JSON.parse((await run('import', 'large.json', '--json')).stdout) as {
      files: unknown;
    };
    expect(files).toMatchObject([{ status: 'failed', code: 'CTX_STORE_FULL' }]);
    expect((await run('sessions')).stdout).toContain('small');
    rmSync(ballast);
    const again = await run('import', 'large.json');
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringMatching(/large +122 +60 /)]);
    expect((await run('verify')).stdout).toContain('all is well');
  },
);

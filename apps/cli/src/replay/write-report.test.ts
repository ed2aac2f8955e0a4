import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replayPolicies } from '@ctx/replay';
import { describe, expect, it } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

describe('ctx replay --html', () => {
  it('writes a page with every policy, for its owner only, and replaces the one before', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'long.json', longSession('long', 12));
    for (const count of [1, 2]) {
      const run = await runOn({ cwd: folder }, 'replay', 'long.json', '--html', 'report.html');
      expect([count, run.exitCode]).toEqual([count, 0]);
      expect(run.stderr).toContain(`The report is in ${join(folder, 'report.html')}`);
    }
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    for (const { name } of replayPolicies) expect(page).toContain(`<th scope="row">${name}</th>`);
    expect(page).toContain('<summary>long ');
    expect(statSync(join(folder, 'report.html')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['missing/report.html', 3],
    ['.', 2],
  ])('refuses %s before it replays', async (path, code) => {
    const folder = makeFolder();
    writeJsonFile(folder, 'long.json', longSession('long', 2));
    const run = await runOn({ cwd: folder }, 'replay', 'long.json', '--html', path);
    expect(run.exitCode).toBe(code);
    expect(run.stderr).not.toContain('Replaying');
  });
});

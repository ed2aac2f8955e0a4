import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runOn } from '../../test-support/fake-host.ts';
import { makeFolder } from '../../test-support/sample-transcripts.ts';

test('the stores of a URL pass beside what is there, which is not touched', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'kept'), 'as it was');
  for (const url of ['memory:', 'sqlite:./kept', 'fs:./kept']) {
    const argv = ['conform', url, '--only', 'get/', '--json'];
    const { exitCode, stdout } = await runOn({ cwd: folder }, ...argv);
    const answer = JSON.parse(stdout) as { tested: string; passed: number; failed: number };
    expect([exitCode, answer.failed]).toEqual([0, 0]);
    expect(answer.passed).toBeGreaterThan(5);
    expect(answer.tested.startsWith(url.split('.')[0] ?? '')).toBe(true);
  }
  expect(readdirSync(folder)).toEqual(['kept']);
  expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('as it was');
});

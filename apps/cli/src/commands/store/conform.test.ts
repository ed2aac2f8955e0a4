import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runOn } from '../../test-support/fake-host.ts';
import { makeFolder } from '../../test-support/sample-transcripts.ts';

/** The built entry for backends: a third party's module is plain JavaScript. */
const entry = fileURLToPath(
  new URL('../../../../../packages/store/dist/backend/index.js', import.meta.url),
);

function writeModule(folder: string, body: string): string {
  const path = join(folder, 'backend.mjs');
  writeFileSync(path, `import { memoryBackend } from ${JSON.stringify(entry)};\n${body}`);
  return path;
}

/** A backend that runs through, on the groups that need no place. */
const good = 'export default () => memoryBackend();\n';
/** One that forgets what it was told to leave out. */
const broken = `export const backend = () => {
  const inner = memoryBackend();
  return { ...inner, get: async (name, keys) => keys.map(() => undefined) };
};
`;

test.skipIf(!existsSync(entry))('a backend that keeps the contract passes', async () => {
  const folder = makeFolder();
  const path = writeModule(folder, good);
  const { exitCode, stdout } = await runOn({ cwd: folder }, 'conform', path, '--only', 'scan/');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^group {2}passed {2}failed\nscan +\d+ +0\n\nmemory: \d+ passed, 0 failed\n$/,
  );
});

test.skipIf(!existsSync(entry))('a broken backend fails, case by case', async () => {
  const folder = makeFolder();
  const path = writeModule(folder, broken);
  const { exitCode, stdout } = await runOn(
    { cwd: folder },
    'conform',
    path,
    '--only',
    'get/',
    '--json',
  );
  const answer = JSON.parse(stdout) as {
    failed: number;
    cases: { status: string; error?: string }[];
  };
  expect([exitCode, answer.failed > 0]).toEqual([1, true]);
  expect(
    answer.cases
      .filter(({ status }) => status === 'failed')
      .every(({ error }) => error !== undefined),
  ).toBe(true);
});

test('the cases can be listed without a module', async () => {
  const { exitCode, stdout } = await runOn({ cwd: '/' }, 'conform', '--list', '--only', 'get/');
  expect(exitCode).toBe(0);
  for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^get\/[a-z0-9-]+\t\S/);
});

test('a module without a backend is refused', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'empty.mjs'), 'export const other = 1;\n');
  const { exitCode, stderr } = await runOn({ cwd: folder }, 'conform', 'empty.mjs');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('must export')]);
});

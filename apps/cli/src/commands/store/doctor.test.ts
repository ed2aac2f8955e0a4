import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DoctorAnswer } from '../../schemas/store.ts';
import { type FakeMachine, runOn } from '../../test-support/fake-host.ts';
import {
  anthropicSession,
  makeFolder,
  writeJsonFile,
} from '../../test-support/sample-transcripts.ts';

async function diagnose(machine: FakeMachine, ...flags: string[]) {
  const { exitCode, stdout } = await runOn(machine, 'doctor', '--json', ...flags);
  return { exitCode, answer: JSON.parse(stdout) as DoctorAnswer };
}

const statusOf = ({ checks }: DoctorAnswer, name: string): string | undefined =>
  checks.find((check) => check.name === name)?.status;

test('a machine that never saw ctx is healthy, and nothing is made on it', async () => {
  const cwd = makeFolder();
  const { exitCode, answer } = await diagnose({ cwd });
  expect([exitCode, answer.isHealthy]).toEqual([0, true]);
  expect(answer.checks.map(({ name }) => name)).toEqual([
    'node',
    'sqlite driver',
    'config',
    'store',
    'disk room',
  ]);
  expect((await runOn({ cwd }, 'sessions')).exitCode).toBe(3);
});

test.each(['sqlite:ctx.db', 'fs:data'])('a store of ctx is private: %s', async (store) => {
  const cwd = makeFolder();
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd }, 'import', 'one.json', '--store', store);
  const { exitCode, answer } = await diagnose({ cwd }, '--store', store);
  expect([exitCode, statusOf(answer, 'store'), statusOf(answer, 'permissions')]).toEqual([
    0,
    'ok',
    'ok',
  ]);
});

test('files that others may read are a warning with advice', async () => {
  const cwd = makeFolder();
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd }, 'import', 'one.json', '--store', 'sqlite:ctx.db');
  chmodSync(join(cwd, 'ctx.db'), 0o644);
  const { exitCode, answer } = await diagnose({ cwd }, '--store', 'sqlite:ctx.db');
  expect([exitCode, statusOf(answer, 'permissions')]).toEqual([0, 'warning']);
  expect(answer.checks.find(({ name }) => name === 'permissions')?.advice).toContain('chmod');
});

test('a store that cannot be opened is a problem', async () => {
  const cwd = makeFolder();
  const path = writeJsonFile(cwd, 'no.db', 'x'.repeat(5000));
  const { exitCode, answer } = await diagnose({ cwd }, '--store', `sqlite:${path}`);
  expect([exitCode, answer.isHealthy, statusOf(answer, 'store')]).toEqual([1, false, 'problem']);
});

test('a wrong URL or config is a problem that is named', async () => {
  const cwd = makeFolder();
  const { exitCode, answer } = await diagnose({ cwd }, '--store', 'nothing:x');
  expect([exitCode, statusOf(answer, 'config')]).toEqual([1, 'problem']);
});

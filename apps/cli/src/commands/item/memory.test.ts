import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesBelow } from '../../test-support/bytes-below.ts';
import { runOn } from '../../test-support/fake-host.ts';
import {
  anthropicSession,
  makeFolder,
  writeJsonFile,
} from '../../test-support/sample-transcripts.ts';

const fact = 'Deploys run on Fridays only';

test('remember keeps a fact in a new store, recall finds it, forget destroys it', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:place/ctx.db' };
  const first = await runOn({ cwd, env }, 'remember', fact);
  expect(first).toEqual({ exitCode: 0, stdout: '', stderr: `Kept for agent default: ${fact}\n` });
  const again = await runOn({ cwd, env }, 'remember', `${fact}.`);
  expect(again.stderr).toBe(`Known already to agent default: ${fact}\n`);
  const found = await runOn({ cwd, env }, 'recall', 'when', 'do', 'deploys', 'run');
  expect([found.exitCode, found.stdout]).toEqual([0, expect.stringContaining(fact)]);
  const gone = await runOn({ cwd, env }, 'forget', fact);
  expect([gone.exitCode, gone.stderr]).toEqual([0, expect.stringContaining('Forgotten in')]);
  expect(bytesBelow(join(cwd, 'place/ctx.db')).includes('Fridays')).toBe(false);
  const after = await runOn({ cwd, env }, 'recall', 'deploys', '--json');
  expect(JSON.parse(after.stdout)).toMatchObject({ facts: [] });
});

test('forget asks where somebody can answer; a no keeps the fact, --yes is not asked', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:ctx.db' };
  await runOn({ cwd, env }, 'remember', fact);
  const no = await runOn({ cwd, env, answer: false }, 'forget', fact);
  expect([no.exitCode, no.stderr]).toEqual([5, expect.stringContaining('nothing was forgotten')]);
  const kept = await runOn({ cwd, env }, 'recall', 'deploys', '--json');
  expect(JSON.parse(kept.stdout)).toMatchObject({ facts: [{ text: fact }] });
  const yes = await runOn({ cwd, env, answer: false }, 'forget', fact, '--yes');
  expect([yes.exitCode, yes.stderr]).toEqual([0, expect.stringContaining('Forgotten in')]);
});

test('--promote says whose fact it is now, and whether it was known', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:ctx.db' };
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd, env }, 'import', 'one.json');
  const added = await runOn({ cwd, env }, 'remember', fact, '--session', 'one');
  expect(added.stderr).toBe(`Kept for session one: ${fact}\n`);
  const promoted = await runOn({ cwd, env }, 'facts', 'one', '--promote', fact, '--agent', 'ada');
  expect([promoted.exitCode, promoted.stderr]).toEqual([0, `Kept for agent ada: ${fact}\n`]);
  const again = await runOn(
    { cwd, env },
    'facts',
    'one',
    '--promote',
    fact,
    '--agent',
    'ada',
    '--json',
  );
  expect(JSON.parse(again.stdout)).toMatchObject({
    kept: { agent: 'ada', session: 'one', text: fact, isNew: false },
  });
});

test('what is not there cannot be promoted, and a question needs words', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:ctx.db' };
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd, env }, 'import', 'one.json');
  expect((await runOn({ cwd, env }, 'facts', 'one', '--promote', 'nothing')).exitCode).toBe(3);
  expect((await runOn({ cwd, env }, 'recall')).exitCode).toBe(2);
});

import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { expect, test } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { bytesBelow } from '../test-support/bytes-below.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

const day = 86_400_000;

/** A store with outputs of 100, 50 and 0 days, one of them pinned, and three checkpoints. */
async function filled(): Promise<{ cwd: string; url: string }> {
  const cwd = makeFolder();
  const path = join(cwd, 'ctx.db');
  const url = `sqlite:${path}`;
  for (const [age, word] of [
    [100, 'ancient'],
    [50, 'older'],
    [0, 'fresh'],
  ] as const) {
    const backend = await backendOf({ scheme: 'sqlite', path, text: url });
    const store = await openStore(backend, { clock: () => Date.now() - age * day });
    const call = { sessionId: 's', toolName: 't', args: {} };
    await store.outputs.save({ ...call, result: `${word} result` });
    await store.outputs.save({ ...call, args: { word }, result: `${word} pinned`, pinned: true });
    await store.items.save({ agentId: 'ada', kind: 'note', content: `${word} item` });
    await store.close();
    await runOn({ cwd }, 'flash-save', '--agent', 'ada', '--store', url);
  }
  return { cwd, url };
}

test('without limits nothing is beyond them', async () => {
  const { cwd, url } = await filled();
  const { exitCode, stdout } = await runOn({ cwd }, 'retention', '--store', url);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^age +none$/m);
  expect(stdout).toContain('Beyond the limits: 0 outputs (0 B) and 0 checkpoints.');
});

test('run lets go what is too old, keeps what is pinned, and leaves no byte', async () => {
  const { cwd, url } = await filled();
  const set = await runOn({ cwd }, 'retention', 'set', '--max-age', '70d', '--store', url);
  expect([set.exitCode, set.stderr]).toEqual([0, expect.stringContaining('Written to')]);
  const shown = await runOn({ cwd }, 'retention', '--store', url, '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    outcome: 'planned',
    outputs: 1,
    keptPinned: 1,
    policy: [{ rule: 'maxAge', value: '70d', origin: 'user' }, {}, {}],
  });
  const refused = await runOn({ cwd }, 'retention', 'run', '--store', url);
  expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining('--yes')]);
  const dry = await runOn({ cwd }, 'retention', 'run', '--dry-run', '--store', url);
  expect([dry.exitCode, dry.stderr]).toEqual([0, expect.stringContaining('`ctx retention run`')]);
  expect(bytesBelow(join(cwd, 'ctx.db')).includes('ancient result')).toBe(true);
  const run = await runOn({ cwd }, 'retention', 'run', '--yes', '--store', url);
  expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining('Destroyed 1 output')]);
  const bytes = bytesBelow(join(cwd, 'ctx.db'));
  const found = ['ancient result', 'ancient pinned', 'older result'].map((text) =>
    bytes.includes(text),
  );
  expect(found).toEqual([false, true, true]);
  const again = await runOn({ cwd }, 'retention', 'run', '--yes', '--store', url, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'nothing', outputs: 0 });
  const checked = await runOn({ cwd }, 'verify', '--store', url);
  expect(checked.exitCode).toBe(0);
});

test('a flag wins over the config; sizes and checkpoints have limits, too', async () => {
  const { cwd, url } = await filled();
  await runOn({ cwd }, 'config', 'set', 'retention.checkpoints', '3');
  const argv = ['retention', 'run', '--yes', '--json', '--store', url];
  const kept = await runOn({ cwd }, ...argv);
  expect(JSON.parse(kept.stdout)).toMatchObject({ outcome: 'nothing' });
  const cut = await runOn({ cwd }, ...argv, '--checkpoints', '1', '--max-bytes', '1B');
  expect(JSON.parse(cut.stdout)).toMatchObject({
    outcome: 'done',
    checkpoints: 2,
    outputs: 3,
    keptPinned: 3,
  });
  const left = await runOn({ cwd }, 'checkpoints', '--agent', 'ada', '--json', '--store', url);
  expect((JSON.parse(left.stdout) as { checkpoints: unknown[] }).checkpoints).toHaveLength(1);
});

test.each([
  [['set'], 2],
  [['run', '--max-age', 'soon'], 2],
  [['set', '--max-bytes', '5'], 2],
  [['grow'], 2],
])('refuses %j', async (words, code) => {
  const { exitCode } = await runOn({ cwd: makeFolder() }, 'retention', ...words);
  expect(exitCode).toBe(code);
});

test('where there is no store nothing is made', async () => {
  expect((await runOn({ cwd: makeFolder() }, 'retention', 'run', '--yes')).exitCode).toBe(3);
});

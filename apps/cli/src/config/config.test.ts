import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

interface Setting {
  readonly key: string;
  readonly value?: string;
  readonly origin: string;
  readonly source?: string;
}

async function settingOf(
  machine: Parameters<typeof runOn>[0],
  key: string,
  ...flags: string[]
): Promise<Setting | undefined> {
  const { stdout } = await runOn(machine, 'config', '--json', ...flags);
  const { settings } = JSON.parse(stdout) as { settings: Setting[] };
  return settings.find((setting) => setting.key === key);
}

test('says of each setting who set it: flag, environment, project, user, nobody', async () => {
  const cwd = makeFolder();
  const user = join(cwd, 'home/config');
  expect(await settingOf({ cwd }, 'store')).toMatchObject({ origin: 'default' });
  expect(await settingOf({ cwd }, 'retention.maxAge')).toEqual({
    key: 'retention.maxAge',
    origin: 'default',
  });
  mkdirSync(user, { recursive: true });
  writeJsonFile(user, 'config.json', { store: 'fs:u', retention: { checkpoints: 3 } });
  expect(await settingOf({ cwd }, 'store')).toEqual({
    key: 'store',
    value: `fs:${user}/u`,
    origin: 'user',
    source: join(user, 'config.json'),
  });
  expect(await settingOf({ cwd }, 'retention.checkpoints')).toMatchObject({
    value: '3',
    origin: 'user',
  });
  writeFileSync(
    join(cwd, 'ctx.config.toml'),
    'store = "fs:p" # ours\n[retention]\nmaxAge = "9d"\n',
  );
  expect(await settingOf({ cwd }, 'store')).toMatchObject({
    value: `fs:${cwd}/p`,
    origin: 'project',
  });
  expect(await settingOf({ cwd }, 'retention.maxAge')).toMatchObject({
    value: '9d',
    origin: 'project',
    source: join(cwd, 'ctx.config.toml'),
  });
  const env = { CTX_STORE: 'fs:e' };
  expect(await settingOf({ cwd, env }, 'store')).toMatchObject({
    origin: 'environment',
    source: 'CTX_STORE',
  });
  expect(await settingOf({ cwd, env }, 'store', '--store', 'fs:f')).toMatchObject({
    origin: 'flag',
    source: '--store',
  });
});

test('what a project says of deleting counts for its own store alone', async () => {
  const cwd = makeFolder();
  writeJsonFile(cwd, 'ctx.config.json', { store: 'fs:p', retention: { maxAge: '1m' } });
  expect(await settingOf({ cwd }, 'retention.maxAge')).toMatchObject({ origin: 'project' });
  const env = { CTX_STORE: 'fs:elsewhere' };
  expect(await settingOf({ cwd, env }, 'retention.maxAge')).toMatchObject({ origin: 'default' });
});

test('sets and unsets, in the file of the user or of the project, for their owner alone', async () => {
  const cwd = makeFolder();
  const path = join(cwd, 'home/config/config.json');
  const set = await runOn({ cwd }, 'config', 'set', 'retention.maxBytes', '2GB');
  expect(set).toEqual({ exitCode: 0, stdout: '', stderr: `Written to ${path}.\n` });
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  await runOn({ cwd }, 'config', 'set', 'store', 'sqlite:mine.db');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    store: `sqlite:${cwd}/mine.db`,
    retention: { maxBytes: '2GB' },
  });
  await runOn({ cwd }, 'config', 'set', 'store', 'fs:./data', '--project');
  expect(JSON.parse(readFileSync(join(cwd, 'ctx.config.json'), 'utf8'))).toEqual({
    store: 'fs:./data',
  });
  await runOn({ cwd }, 'config', 'unset', 'retention.maxBytes');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ store: `sqlite:${cwd}/mine.db` });
  const got = await runOn({ cwd }, 'config', 'get', 'store');
  expect([got.exitCode, got.stdout]).toEqual([0, `fs:${cwd}/data\n`]);
});

test('says when what was written is not what is in force', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'fs:e' };
  const { stderr } = await runOn({ cwd, env }, 'config', 'set', 'store', 'fs:u');
  expect(stderr).toContain(`In force is fs:${cwd}/e, by CTX_STORE.`);
});

test.each([
  [['get', 'stroe'], 'there are store, retention.maxAge'],
  [['set', 'retention.maxAge', 'soon'], 'must be an age'],
  [['set', 'retention.checkpoints', '0'], 'retention.checkpoints'],
  [['set', 'store', 'redis:x'], 'no store has the scheme'],
  [['set', 'store', 'fs:../out', '--project'], 'outside of its folder'],
  [['set', 'store'], 'say what it is to be'],
  [['get'], 'name the setting'],
])('refuses %j', async (words, complaint) => {
  const cwd = makeFolder();
  const { exitCode, stderr } = await runOn({ cwd }, 'config', ...words);
  expect([2, 5]).toContain(exitCode);
  expect(stderr).toContain(complaint);
});

test('get of what nobody set ends with 3', async () => {
  const run = await runOn({ cwd: makeFolder() }, 'config', 'get', 'retention.maxAge');
  expect([run.exitCode, run.stdout]).toEqual([3, '']);
});

test('two config files in one folder, and a TOML file to be written, are refused', async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'ctx.config.toml'), 'store = "fs:p"\n');
  const toml = await runOn({ cwd }, 'config', 'set', 'store', 'fs:q', '--project');
  expect([toml.exitCode, toml.stderr]).toEqual([2, expect.stringContaining('lose its comments')]);
  writeJsonFile(cwd, 'ctx.config.json', {});
  const both = await runOn({ cwd }, 'sessions');
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('keep one')]);
});

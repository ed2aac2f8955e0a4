import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FakeMachine, runOn } from '../test-support/fake-host.ts';
import { makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

/** The store that a command takes, by the message that it is missing. */
async function takenStore(machine: FakeMachine, ...flags: string[]): Promise<string> {
  const { stderr } = await runOn(machine, 'sessions', ...flags);
  return /no store at (\S+);/.exec(stderr)?.[1] ?? stderr;
}

test('the flag wins over the environment, that over the project, that over the user, that over the default', async () => {
  const cwd = makeFolder();
  const home = join(cwd, 'home');
  expect(await takenStore({ cwd })).toBe(`sqlite:${home}/data/ctx.db`);
  mkdirSync(join(home, 'config'), { recursive: true });
  writeJsonFile(join(home, 'config'), 'config.json', { store: 'fs:user' });
  expect(await takenStore({ cwd })).toBe(`fs:${home}/config/user`);
  writeJsonFile(cwd, 'ctx.config.json', { store: 'fs:./project' });
  expect(await takenStore({ cwd })).toBe(`fs:${cwd}/project`);
  const env = { CTX_STORE: 'sqlite:env.db' };
  expect(await takenStore({ cwd, env })).toBe(`sqlite:${cwd}/env.db`);
  expect(await takenStore({ cwd, env }, '--store', 'fs:flag')).toBe(`fs:${cwd}/flag`);
});

test('a project config is found above the folder, its store is relative to it', async () => {
  const root = makeFolder();
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeJsonFile(root, 'ctx.config.json', { store: 'fs:data' });
  expect(await takenStore({ cwd: join(root, 'a/b') })).toBe(`fs:${root}/data`);
});

test('a config above the repository is not the project’s', async () => {
  const root = makeFolder();
  mkdirSync(join(root, 'repo/.git'), { recursive: true });
  writeJsonFile(root, 'ctx.config.json', { store: 'fs:data' });
  expect(await takenStore({ cwd: join(root, 'repo') })).toContain('/home/data/ctx.db');
});

test('a project config must not name a store outside of its folder', async () => {
  const cwd = makeFolder();
  for (const store of ['fs:../elsewhere', 'sqlite:/etc/x.db', 'fs:~/notes']) {
    writeJsonFile(join(cwd), 'ctx.config.json', { store });
    mkdirSync(join(cwd, 'home'), { recursive: true });
    const { exitCode, stderr } = await runOn({ cwd: join(cwd) }, 'sessions');
    // The test's home lies inside the project, so that only the first two are outside.
    expect([exitCode, stderr.includes('CTX_NOT_ALLOWED')]).toEqual(
      store.startsWith('fs:~') ? [3, false] : [5, true],
    );
  }
});

test('a config with an unknown field or without JSON is refused by name', async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'ctx.config.json'), '{"stroe": "fs:x"}');
  const unknown = await runOn({ cwd }, 'sessions');
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('stroe')]);
  writeFileSync(join(cwd, 'ctx.config.json'), 'export default {}');
  const script = await runOn({ cwd }, 'sessions');
  expect([script.exitCode, script.stderr]).toEqual([2, expect.stringContaining('it is not JSON')]);
});

test('a store that is none is refused with who named it', async () => {
  const cwd = makeFolder();
  const complaint = async (machine: FakeMachine, ...flags: string[]) =>
    (await runOn(machine, 'sessions', ...flags)).stderr;
  expect(await complaint({ cwd }, '--store', 'redis:x')).toContain('--store: no store has');
  expect(await complaint({ cwd, env: { CTX_STORE: 'redis:x' } })).toContain('CTX_STORE: no store');
  const config = writeJsonFile(cwd, 'ctx.config.json', { store: 'redis:x' });
  expect(await complaint({ cwd })).toContain(`${config}: no store has`);
});

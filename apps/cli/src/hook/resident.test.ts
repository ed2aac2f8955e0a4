import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBuilt, makeTestHome, type TestHome } from '../test-support/run-bin.ts';

let home: TestHome;

beforeAll(() => {
  home = makeTestHome();
});
afterAll(() => {
  home.remove();
});

const bin = fileURLToPath(new URL('../../dist/bin.cjs', import.meta.url));

/** A home's variables with which a process may stay. */
const env = () => ({ XDG_CACHE_HOME: join(home.folder, 'cache'), CTX_HOOK_RESIDENT: 'on' });

async function hook(name: string, more: object = {}, with_ = env()): Promise<string> {
  const event = { session_id: 's', hook_event_name: name, ...more };
  const options = { env: with_, stdin: JSON.stringify(event) };
  const { exitCode, stdout, stderr } = await home.run(['hook', 'claude-code'], options);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

const toolUse = (id: string) => ({
  ...{ tool_name: 'Bash', tool_use_id: id, tool_input: { command: 'npm test' } },
  tool_response: {
    stdout: 'a line\n'.repeat(4000),
    stderr: '',
    interrupted: false,
    isImage: false,
  },
});

/** The socket that hooks ask, once there is one. */
async function socket(isOther: (file: number) => boolean = () => true): Promise<string> {
  const folder = join(home.folder, 'cache/ctx/run');
  for (;;) {
    const name = existsSync(folder)
      ? readdirSync(folder).find((each) => each.endsWith('.sock'))
      : '';
    const path = join(folder, name ?? '');
    const found = name === '' ? undefined : statSync(path, { throwIfNoEntry: false });
    if (found?.isSocket() === true && isOther(found.ino)) return path;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function untilGone(path: string): Promise<void> {
  while (existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 10));
}

test.runIf(isBuilt)(
  'a process stays after the first hook, answers the next ones as they would, and ends with the session',
  async () => {
    const alone = await hook('PostToolUse', toolUse('t0'), { ...env(), CTX_HOOK_RESIDENT: 'off' });
    expect(alone).toMatch(/"updatedToolOutput":.*is kept at ctx:/);
    expect(existsSync(join(home.folder, 'cache/ctx/run'))).toBe(true);
    expect(await hook('SessionStart', { source: 'startup' })).toBe('{}\n');
    const path = await socket();
    const id = /ctx:\/\/outputs\/[^ "\]]+/g;
    const answered = await hook('PostToolUse', toolUse('t1'));
    expect(answered.replaceAll(id, '')).toBe(alone.replaceAll(id, ''));
    // A repeated call is stored once, by either process.
    expect(await hook('PostToolUse', toolUse('t0'))).toBe(alone);
    expect(await hook('SessionEnd', { reason: 'exit' })).toBe('{}\n');
    await untilGone(path);
  },
);

test.runIf(isBuilt)(
  'one that is killed is missed by nobody, and another takes its place',
  async () => {
    await hook('SessionStart', { source: 'startup' });
    const path = await socket();
    const { ino } = statSync(path);
    const child = spawn(process.execPath, [bin, 'hook', 'claude-code', '--resident', path], {
      env: {
        PATH: process.env['PATH'],
        HOME: join(home.folder, 'home'),
        XDG_CACHE_HOME: env().XDG_CACHE_HOME,
      },
      stdio: 'ignore',
    });
    await socket((file) => file !== ino);
    const { ino: own } = statSync(path);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    // The socket is left, without a process that listens.
    expect(statSync(path).ino).toBe(own);
    expect(await hook('PostToolUse', toolUse('t2'))).toMatch(/is kept at ctx:/);
    await socket((file) => file !== own);
    await hook('SessionEnd', { reason: 'exit' });
    await untilGone(path);
  },
);

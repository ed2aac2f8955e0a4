import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchdogProgram } from './watchdog.ts';

/** What Windows lacks: a folder of processes, and `ps`. */
const withoutLists = "require('node:fs').readdirSync = () => { throw new Error('no /proc'); };";

it('ends the child and removes the folder where the system cannot list processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-watchdog-'));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = once(child, 'exit');
  const args = ['-e', withoutLists + watchdogProgram, String(child.pid), folder];
  const watchdog = spawn(process.execPath, args, { env: { PATH: '' } });
  const watched = once(watchdog, 'exit');
  watchdog.stdin.end();
  expect(await watched).toEqual([0, null]);
  expect((await ended)[1]).toBe('SIGTERM');
  expect(existsSync(folder)).toBe(false);
});

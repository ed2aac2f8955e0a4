import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchdogProgram } from './watchdog.ts';

/** What Windows lacks: a folder of processes, and `ps`. */
const withoutLists = "require('node:fs').readdirSync = () => { throw new Error('no /proc'); };";

/** Breaks the pipe to a watchdog. Returns the id of its child, and the signal that ended that. */
async function watched(folder: string, PATH: string, ...platform: string[]) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const ended = once(child, 'exit');
  const program = withoutLists + watchdogProgram;
  const args = ['-e', program, String(child.pid), folder, 'mark', ...platform];
  const watchdog = spawn(process.execPath, args, { env: { PATH } });
  const stopped = once(watchdog, 'exit');
  watchdog.stdin.end();
  expect(await stopped).toEqual([0, null]);
  const [, signal] = (await ended) as readonly unknown[];
  return { pid: String(child.pid), signal };
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'ctx-watchdog-'));

it('ends the child and removes the folder where the system cannot list processes', async () => {
  const folder = makeFolder();
  expect(await watched(folder, '')).toMatchObject({ signal: 'SIGTERM' });
  expect(existsSync(folder)).toBe(false);
});

/** A folder with a program of the name of Windows' own, which notes its arguments. */
function withTaskkill(line: string): { readonly bin: string; readonly told: () => string } {
  const bin = makeFolder();
  const told = join(bin, 'told');
  const script = `#!/bin/sh\nprintf '%s ' "$@" > '${told}'\n${line}\n`;
  writeFileSync(join(bin, 'taskkill'), script, { mode: 0o755 });
  onTestFinished(() => {
    rmSync(bin, { recursive: true, force: true });
  });
  return { bin, told: () => readFileSync(told, 'utf8') };
}

it.each([
  ['and the child is ended by it', 'kill -9 "$2"', 'SIGKILL'],
  ['and the child is ended anyway if it fails', 'exit 128', 'SIGTERM'],
])('asks taskkill on Windows for the whole tree, by force, %s', async (_what, line, signal) => {
  const [folder, { bin, told }] = [makeFolder(), withTaskkill(line)];
  const ended = await watched(folder, bin, 'win32');
  expect(ended.signal).toBe(signal);
  expect(told()).toBe(`/pid ${ended.pid} /t /f `);
  expect(existsSync(folder)).toBe(false);
});

/** Simulates a system that reuses a process id: after the first signal, six seconds pass and the id belongs to an unrelated process. */
const givesIdsAnew = `
const files = require('node:fs');
let [now, listed] = [0, { 4242: [1, 4242], 500: [4242, 4242] }];
Date.now = () => now;
files.readdirSync = () => Object.keys(listed);
files.readFileSync = (path) => {
  const [, , pid, file] = path.split('/');
  return file === 'environ' ? '' : pid + ' (a) S ' + listed[pid].join(' ');
};
const sent = [];
process.kill = (pid, signal) => {
  sent.push(pid + ' ' + signal);
  [now, listed] = [6000, { 4242: [1, 4242], 500: [1, 1] }];
};
process.on('exit', () => process.stdout.write(sent.join(', ')));
`;

it('ends no process that got the id of one that ended long ago', async () => {
  const args = ['-e', givesIdsAnew + watchdogProgram, '4242', '', 'mark', 'linux'];
  const watchdog = spawn(process.execPath, args);
  let said = '';
  watchdog.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  watchdog.stdin.end('SIGINT\n');
  await once(watchdog, 'close');
  expect(said).toBe('500 SIGINT, 4242 SIGTERM, 4242 SIGKILL, 4242 SIGKILL');
});

import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ended, provider, withAgent } from '../../test-support/agent-runs.ts';

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** Says which processes they are; the last has another parent by then. */
const startOthers = `const { spawn } = require('node:child_process');
const start = (text, more) => spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'ignore'], ...more });
const inner = start('setInterval(() => {}, 1000)');
const other = start('const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true }); console.log(pid); process.exit();');
other.stdout.on('data', (pid) => console.log('pids ' + [process.pid, inner.pid, pid].join(' ') + ' ;'));
setInterval(() => {}, 1000);`;

/** Runs the agent, and sends a signal once it said what it started. Returns the ids. */
async function endedBy(signal: NodeJS.Signals, program: string, codex = '') {
  const { url } = await provider();
  const { home, env, temporary } = withAgent(program, url);
  const other = `#!${process.execPath}\n${codex}\n`;
  writeFileSync(join(home.folder, 'bin', 'codex'), other, { mode: 0o755 });
  const { stdout } = await home.run(['run', 'claude'], {
    env,
    onOutput: (text, kill) => {
      if (text.includes(' ;')) kill(signal);
    },
  });
  return { temporary, pids: [...stdout.matchAll(/\d+/g)].map(([pid]) => Number(pid)) };
}

const isAlive = (pid: number): boolean => spawnSync('kill', ['-0', String(pid)]).status === 0;

describe('ctx run', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)(
    'ended by %s, takes the agent and what that started with it, and leaves nothing behind',
    async (signal) => {
      const deaf = "for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => {});";
      const { pids, temporary } = await endedBy(signal, deaf + startOthers);
      expect(pids).toHaveLength(3);
      while (pids.some(isAlive) || readdirSync(temporary).length > 0) await wait(50);
    },
  );

  it('killed, takes what the agent of a run within it left running', async () => {
    const within = `require('node:child_process').spawn('ctx', ['run', 'codex'], { stdio: 'inherit' });
setInterval(() => {}, 1000);`;
    const { pids, temporary } = await endedBy('SIGKILL', within, startOthers);
    expect(pids).toHaveLength(3);
    while (pids.some(isAlive) || readdirSync(temporary).length > 0) await wait(50);
  });

  it('told to end, takes what the agent left running', async () => {
    const { pids, temporary } = await endedBy('SIGTERM', startOthers);
    expect(pids).toHaveLength(3);
    while (pids.some(isAlive) || readdirSync(temporary).length > 0) await wait(50);
  });
});

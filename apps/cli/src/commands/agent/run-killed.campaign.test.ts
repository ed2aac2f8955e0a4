import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ended, provider, withAgent } from '../../test-support/agent-runs.ts';

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

describe('ctx run', () => {
  it('killed, takes the agent and what that started with it, and leaves nothing behind', async () => {
    const { url } = await provider();
    const program = `const { spawn } = require('node:child_process');
const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
process.on('SIGTERM', () => {});
console.log('pids ' + process.pid + ' ' + inner.pid + ' ;'); setInterval(() => {}, 1000);`;
    const { home, env, temporary } = withAgent(program, url);
    const { stdout } = await home.run(['run', 'claude'], {
      env,
      onOutput: (text, kill) => {
        if (text.includes(' ;')) kill('SIGKILL');
      },
    });
    const pids = [...stdout.matchAll(/\d+/g)].map(([pid]) => Number(pid));
    expect(pids).toHaveLength(2);
    const isAlive = (pid: number): boolean => spawnSync('kill', ['-0', String(pid)]).status === 0;
    while (pids.some(isAlive) || readdirSync(temporary).length > 0) await wait(50);
  });
});

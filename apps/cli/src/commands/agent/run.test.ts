import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTestHome, type TestHome } from '../../test-support/run-bin.ts';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

interface Provider {
  readonly url: string;
  readonly received: IncomingMessage[];
}

async function provider(): Promise<Provider> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"usage":{"input_tokens":1200,"output_tokens":5}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ended.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${String(port)}`, received };
}

interface Place {
  readonly home: TestHome;
  readonly env: Readonly<Record<string, string>>;
  /** A folder that nothing but the run under test puts something into. */
  readonly temporary: string;
}

/** A home with a program `claude` that is this script of Node. */
function withAgent(program: string, url: string): Place {
  const home = makeTestHome();
  ended.push(home.remove);
  const bin = join(home.folder, 'bin');
  const temporary = join(home.folder, 'tmp');
  for (const folder of [bin, temporary]) mkdirSync(folder);
  writeFileSync(join(bin, 'claude'), `#!${process.execPath}\n${program}\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  const env = {
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    ANTHROPIC_BASE_URL: url,
    TMPDIR: temporary,
  };
  return { home, env, temporary };
}

const asking = `
const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 99, messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'Bash' }] });
fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body, headers: { 'x-api-key': 'dummy' } }).then(async (answer) => {
  await answer.text();
  console.log(JSON.stringify({ args: process.argv.slice(2), store: process.env.CTX_STORE }));
  process.exit(7);
});`;

describe('ctx run', () => {
  it('hands on arguments, output and exit code, puts itself in between, and says what it was at the end', async () => {
    const { url, received } = await provider();
    const { home, env, temporary } = withAgent(asking, url);
    const run = await home.run(['run', 'claude', '--', '-p', 'fix it', '--json'], { env });
    expect(run.exitCode).toBe(7);
    expect(JSON.parse(run.stdout)).toMatchObject({ args: ['-p', 'fix it', '--json'] });
    expect(run.stderr).toMatch(/^ctx: 1 requests .*1\.2k tokens of input.*see: ctx status p\d{15}/);
    expect(received.map(({ url: path }) => path)).toEqual(['/v1/messages']);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('gives the agent a ctx that reads the same store', async () => {
    const { url } = await provider();
    const program = `const { execFileSync } = require('node:child_process');
process.stdout.write(execFileSync('ctx', ['stats', '--json']));`;
    const { home, env } = withAgent(program, url);
    const { stdout, exitCode } = await home.run(['run', 'claude'], { env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('outputs');
  });

  it('takes the address that settings of Claude Code name as its upstream, and overrides it for this child only', async () => {
    const { url, received } = await provider();
    const { home, env } = withAgent(
      'console.log(process.argv.slice(2).join(" "))',
      'http://127.0.0.1:9',
    );
    const settings = join(home.folder, 'home', '.claude', 'settings.json');
    mkdirSync(join(home.folder, 'home', '.claude'));
    const text = JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } });
    writeFileSync(settings, text);
    const { stdout } = await home.run(['run', 'claude', '--', 'x'], { env });
    expect(stdout).toMatch(
      /^--settings \{"env":\{"ANTHROPIC_BASE_URL":"http:\/\/127\.0\.0\.1:\d+\/t\/[\w-]{20,}"\}\} x\n$/,
    );
    expect(readFileSync(settings, 'utf8')).toBe(text);
    expect(received).toEqual([]);
  });

  it('passes SIGTERM on and ends as the agent ends', async () => {
    const { url } = await provider();
    const program = `process.on('SIGTERM', () => process.exit(9)); console.log('ready'); setInterval(() => {}, 1000);`;
    const { home, env } = withAgent(program, url);
    let isAsked = false;
    const run = await home.run(['run', 'claude'], {
      env,
      onOutput: (text, kill) => {
        if (isAsked || !text.includes('ready')) return;
        isAsked = true;
        kill('SIGTERM');
      },
    });
    expect(run.exitCode).toBe(9);
  });

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

  it('says what is missing where there is no such agent', async () => {
    const home = makeTestHome();
    ended.push(home.remove);
    const run = await home.run(['run', 'claude'], { env: { PATH: '/nowhere' } });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain('claude cannot be started');
    const other = await home.run(['run', 'vim']);
    expect(other.exitCode).toBe(2);
    expect(existsSync(join(home.folder, 'home', '.claude'))).toBe(false);
  });
});

describe('ctx proxy', () => {
  it('serves until it is stopped, and sends requests where it was told', async () => {
    const { url, received } = await provider();
    const home = makeTestHome();
    ended.push(home.remove);
    let asked: Promise<number> | undefined;
    const run = await home.run(['proxy', '--upstream', `anthropic=${url}`], {
      onOutput: (text, kill) => {
        const [, base] = /ANTHROPIC_BASE_URL=(\S+)\n/.exec(text) ?? [];
        if (base === undefined || asked !== undefined) return;
        asked = fetch(`${base}/v1/messages/count_tokens`).then(async (answer) => {
          await answer.text();
          kill('SIGTERM');
          return answer.status;
        });
      },
    });
    expect(await asked).toBe(200);
    expect(run.exitCode).toBe(0);
    expect(received.map(({ url: path }) => path)).toEqual(['/v1/messages/count_tokens']);
    expect(run.stderr).toContain('ctx: 0 requests (0 more');
  });
});

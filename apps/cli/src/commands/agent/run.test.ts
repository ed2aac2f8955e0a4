import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dropPostgresStore } from '@ctx/store-postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { ended, provider, withAgent } from '../../test-support/agent-runs.ts';
import { isBuilt, makeTestHome } from '../../test-support/run-bin.ts';

const server = process.env['CTX_TEST_POSTGRES'] ?? '';

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

const asking = `
const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 99, messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'Bash' }] });
fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body, headers: { 'x-api-key': 'dummy' } }).then(async (answer) => {
  await answer.text();
  console.log(JSON.stringify({ args: process.argv.slice(2), store: process.env.CTX_STORE }));
  process.exit(7);
});`;

const growing = `
(async () => {
  const messages = [{ role: 'user', content: 'hi' }];
  for (let turn = 0; turn < 60; turn += 1) {
    const lines = Array.from({ length: 300 }, (_, line) => 'value ' + turn * 7919 + ' of row ' + line * 31);
    messages.push({ role: 'assistant', content: lines.join(' ') }, { role: 'user', content: lines.join('\\n') });
    const body = JSON.stringify({ model: 'claude-sonnet-4-5[1m]', max_tokens: 99, messages, tools: [{ name: 'Bash' }] });
    await (await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body })).text();
  }
})();`;

/** Writes to standard error what room a run has for young objects, at its end. */
const youngRoom = `
if (process.argv[2] === 'run') process.on('exit', () => {
  const [{ space_size: bytes }] = require('node:v8').getHeapSpaceStatistics().filter(({ space_name: name }) => name === 'new_space');
  process.stderr.write('room: ' + bytes / 2 ** 20);
});`;

/** A person at a terminal: has `ctx` on its PATH, and types Ctrl-C when the agent of a command is ready. */
const typing = (command: string): string => `const { spawn } = require('node:child_process');
const terminal = spawn('script', ['-qec', '${command}', '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
let isTyped = false;
terminal.stdout.on('data', (chunk) => {
  process.stdout.write(chunk);
  if (isTyped || !String(chunk).includes('ready')) return;
  isTyped = true;
  terminal.stdin.write('\\x03');
});
terminal.on('exit', () => process.exit());`;

/** Goes on after Ctrl-C and ends by itself; says which processes it started and which is the watchdog of its run. */
const outlived = `#!${process.execPath}
const { readdirSync, readFileSync } = require('node:fs');
const other = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
const isWatchdog = (pid) => {
  try { return readFileSync('/proc/' + pid + '/cmdline', 'latin1').includes(process.env.CTX_RUN.split(' ').at(-1)); } catch { return false; }
};
process.on('SIGINT', () => {
  const pids = readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && isWatchdog(name));
  console.log('pids ' + [other.pid, ...pids].join(' ') + ' ;');
  process.exit();
});
console.log('ready');
setInterval(() => {}, 1000);\n`;

/** Whether the `script` of util-linux is there, which runs a command in a terminal. */
const hasTerminals =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

const isAlive = (pid: number): boolean => spawnSync('kill', ['-0', String(pid)]).status === 0;

describe('ctx run', () => {
  it('hands on arguments, output and exit code, puts itself in between, and says what it was at the end', async () => {
    const { url, received } = await provider();
    const { home, env, temporary } = withAgent(asking, url);
    const run = await home.run(['run', 'claude', '--', '-p', 'fix it', '--json'], { env });
    expect(run.exitCode).toBe(7);
    expect(JSON.parse(run.stdout)).toMatchObject({ args: ['-p', 'fix it', '--json'] });
    expect(run.stderr).toMatch(
      /^ctx: 1 request \(.*1\.2k tokens of input.*see: ctx status p\d{15}/,
    );
    expect(received.map(({ url: path }) => path)).toEqual(['/v1/messages']);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.skipIf(!isBuilt)('keeps its own heap small while requests grow', async () => {
    const { url, received } = await provider();
    const { home, env } = withAgent(growing, url);
    const probe = join(home.folder, 'probe.cjs');
    writeFileSync(probe, youngRoom);
    const { stderr } = await home.run(['run', 'claude'], {
      env: { ...env, NODE_OPTIONS: `--require ${probe}` },
    });
    expect(received).toHaveLength(60);
    expect(Number(/room: (\d+)/.exec(stderr)?.[1])).toBeLessThanOrEqual(16);
  });

  it('tells one size of the window in status, top and why, as the provider counts', async () => {
    const { url } = await provider();
    const rows = `{ role: 'user', content: 'row of the build\\n'.repeat(900) }`;
    const { home, env } = withAgent(asking.replace(/\{ role[^}]*\}/, rows), url);
    const { stderr } = await home.run(['run', 'claude'], { env });
    const [session = ''] = /p\d{15}/.exec(stderr) ?? [];
    const answers = await Promise.all(
      [
        ['status', session],
        ['top', '--once', session],
        ['why', session],
      ].map(async (words) => {
        const { stdout } = await home.run([...words, '--json']);
        return JSON.parse(stdout) as Record<'context' | 'window', { readonly tokens: number }> & {
          readonly tokens: number;
          readonly states: readonly { readonly tokensAfter: number }[];
        };
      }),
    );
    const [status, top, why] = answers;
    const sizes = [status?.context.tokens, top?.window.tokens, why?.tokens];
    expect(sizes).toEqual([why?.tokens, why?.tokens, why?.tokens]);
    const counted = why?.states.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
    expect(counted).toBeCloseTo(why?.tokens ?? 0, 5);
  });

  it.skipIf(server === '')(
    'tells the agent a database with its password, and nobody else',
    async () => {
      const { url, received } = await provider();
      const { home, env } = withAgent(asking, url);
      const schema = `run_${String(process.pid)}`;
      const place = new URL(server);
      place.password = 'dummy-password';
      place.searchParams.set('schema', schema);
      const run = await home.run(['run', 'claude', '--store', place.href], { env });
      await dropPostgresStore({ url: server, schema });
      expect(run.exitCode).toBe(7);
      expect(JSON.parse(run.stdout)).toMatchObject({ store: place.href });
      expect(run.stderr).toContain('see: ctx status p');
      expect(run.stderr + JSON.stringify(received)).not.toContain('dummy-password');
    },
  );

  it('gives the agent a ctx that reads the same store', async () => {
    const { url } = await provider();
    const program = `const { execFileSync } = require('node:child_process');
process.stdout.write(execFileSync('ctx', ['stats', '--json']));`;
    const { home, env } = withAgent(program, url);
    const { stdout, exitCode } = await home.run(['run', 'claude'], { env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('outputs');
  });

  it('gives the agent a ctx that names commands as the agent calls it, whatever called the run', async () => {
    const { url } = await provider();
    const program = `const { spawnSync } = require('node:child_process');
process.stdout.write(spawnSync('ctx', ['no-such']).stderr);`;
    const { home, env } = withAgent(program, url);
    const byNpx = { ...env, npm_lifecycle_event: 'npx' };
    const { stdout } = await home.run(['run', 'claude'], { env: byNpx });
    expect(stdout).toContain('(see ctx --help)');
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

  it.skipIf(!hasTerminals)(
    'lets Ctrl-C reach the agent once, also if its input does not come from the terminal',
    async () => {
      const { url } = await provider();
      const { home, env } = withAgent(typing('sleep 60 | ctx run codex'), url);
      const agent = `#!${process.execPath}
let count = 0;
process.on('SIGINT', () => {
  count += 1;
  if (count === 1) setTimeout(() => { console.log('asked ' + count); process.exit(7); }, 1000);
});
console.log('ready');
setInterval(() => {}, 1000);\n`;
      writeFileSync(join(home.folder, 'bin', 'codex'), agent, { mode: 0o755 });
      const { stdout } = await home.run(['run', 'claude'], { env });
      expect(stdout).toContain('asked 1');
    },
  );

  it.skipIf(!hasTerminals)(
    'leaves what the agent started for later alone if that ends by itself after a Ctrl-C',
    async () => {
      const { url } = await provider();
      const { home, env } = withAgent(typing('ctx run codex'), url);
      writeFileSync(join(home.folder, 'bin', 'codex'), outlived, { mode: 0o755 });
      const { stdout } = await home.run(['run', 'claude'], { env });
      const [, pids = ''] = /pids ([\d ]+) ;/.exec(stdout) ?? [];
      const [other = 0, watchdog = 0] = pids.split(' ').map(Number);
      expect(Math.min(other, watchdog)).toBeGreaterThan(1);
      ended.push(() => spawnSync('kill', ['-9', String(other)]));
      while (isAlive(watchdog)) await wait(20);
      expect(isAlive(other)).toBe(true);
    },
  );

  it('with --watch changes no byte, and is refused beside another policy', async () => {
    const { url, received } = await provider();
    const { home, env } = withAgent(asking, url);
    const run = await home.run(['run', 'claude', '--watch', '--json'], { env });
    expect(run.exitCode).toBe(7);
    expect(JSON.parse(run.stderr)).toMatchObject({ requests: 1, shaped: 0 });
    expect(received).toHaveLength(1);
    const both = await home.run(['run', 'claude', '--watch', '--policy', 'thrifty'], { env });
    expect(both.exitCode).toBe(2);
    expect(received).toHaveLength(1);
  });

  it('with --holdout 1 sends what the agent wrote, counts it apart, and leaves the key of the agent in no file', async () => {
    const { url, received, bodies } = await provider();
    const { home, env } = withAgent(asking.replace("'dummy'", 'process.env.THE_KEY'), url);
    const key = 'sk-dummy-key-of-a-test';
    const run = await home.run(['run', 'claude', '--holdout', '1'], {
      env: { ...env, THE_KEY: key },
    });
    expect([run.exitCode, received[0]?.headers['x-api-key']]).toEqual([7, key]);
    expect(run.stderr).toContain('1 held out at $');
    expect(bodies[0]).toContain('"tools":[{"name":"Bash"}]}');
    const entries = readdirSync(home.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toContain('ctx.db');
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes(key)).toBe(false);
    }
  });

  it('says that a store in memory kept nothing, and lets the model read with a tool, as no shell can', async () => {
    const { url, bodies } = await provider();
    const named = asking.replace("'x-api-key'", "'x-claude-code-session-id': 's', 'x-api-key'");
    const { home, env } = withAgent(named, url);
    const run = await home.run(['run', 'claude', '--store', 'memory:'], { env });
    expect(run.stderr).toContain('nothing was kept');
    expect(run.stderr).not.toContain('ctx status');
    expect(bodies.join()).toContain('"ctx_read"');
  });

  it('ends at once where the folder of the store cannot be made, and does not start the agent', async () => {
    const { url } = await provider();
    const { home, env } = withAgent("console.log('started')", url);
    for (const store of ['sqlite:/proc/nope/x.db', 'fs:/proc/nope/x']) {
      const run = await home.run(['run', 'claude', '--store', store], { env });
      expect(run.exitCode).toBe(1);
      expect(run.stdout).toBe('');
      expect(run.stderr).toContain('CTX_STORE_IO');
    }
  });

  it('says what is missing where there is no such agent', async () => {
    const home = makeTestHome();
    ended.push(home.remove);
    const run = await home.run(['run', 'claude'], { env: { PATH: '/nowhere' } });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain(
      'claude cannot be started: it is not installed, or not on the PATH',
    );
    expect(run.stderr).not.toContain('list what exists');
    const unknown = await home.run(['run', 'claude', '-p', 'hello'], { env: { PATH: '/nowhere' } });
    expect(unknown.stderr).toContain('arguments of the agent go after --');
    const other = await home.run(['run', 'vim']);
    expect(other.exitCode).toBe(2);
    expect(existsSync(join(home.folder, 'home', '.claude'))).toBe(false);
  });
});

describe('ctx proxy', () => {
  it('refuses an upstream that is no address of HTTP', async () => {
    const home = makeTestHome();
    ended.push(home.remove);
    const run = await home.run(['proxy', '--upstream', 'anthropic=localhost:4000']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('--upstream must be name=URL');
  });

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
          const said = { model: 'claude-opus-4-8', max_tokens: 64, tools: [{ name: 'Read' }] };
          const body = { ...said, messages: [{ role: 'user', content: 'Say hello.' }] };
          const asking = { method: 'POST', body: JSON.stringify(body) };
          await (await fetch(`${base}/v1/messages`, asking)).text();
          kill('SIGTERM');
          return answer.status;
        });
      },
    });
    expect(await asked).toBe(200);
    expect(run.exitCode).toBe(0);
    expect(received.map(({ url: path }) => path)).toEqual([
      '/v1/messages/count_tokens',
      '/v1/messages',
    ]);
    expect(run.stderr).toMatch(/^ctx: 1 request \(1 more passed.*; see: ctx status p\d{15}$/m);
    // Codex reads no variable and starts login shells, which set PATH again; opencode adds no version to its address.
    const codex = 'codex -c openai_base_url="$OPENAI_BASE_URL" -c allow_login_shell=false';
    expect(run.stdout).toContain(`# Codex: ${codex}`);
    expect(run.stdout).toMatch(/^export CTX_STORE='?sqlite:\//m);
    expect(run.stdout).toContain('# opencode: ANTHROPIC_BASE_URL="$ANTHROPIC_BASE_URL/v1"');
  });
});

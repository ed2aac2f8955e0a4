import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openTenants } from '@ctx/server/records';
import { sqliteBackend } from '@ctx/store-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../cli.ts';
import type { CliHost } from '../../cli-host.ts';
import { claudeLog } from '../../test-support/agent-logs.ts';
import { fakeHost, runOn } from '../../test-support/fake-host.ts';
import { wordsOf } from '../../test-support/words-of.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctx-up-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A run of `ctx up` at a free port that goes on until it is stopped. */
const up = (...flags: string[]) => runUp({}, '--port', '0', ...flags);

async function runUp(env: CliHost['env'], ...flags: string[]) {
  const told: string[] = [];
  const printed: string[] = [];
  const stop = new AbortController();
  let tellFirst: (text: string) => void = () => undefined;
  const first = new Promise<string>((resolve) => {
    tellFirst = resolve;
  });
  const channel = (onText: (text: string) => void) => ({
    isTty: false,
    columns: 100,
    isClosed: () => false,
    write: async (text: string) => {
      onText(text);
    },
  });
  const host: CliHost = {
    env,
    cwd: folder,
    out: channel((text) => {
      printed.push(text);
      tellFirst(text);
    }),
    err: channel((text) => {
      told.push(text);
    }),
    signal: stop.signal,
    endAtOnce: () => undefined,
    folders: fakeHost({ cwd: folder }).folders,
    readInput: async () => undefined,
    confirm: async () => undefined,
  };
  const ended = runCli(['up', ...flags], host, '1.2.3');
  return { first: await first, told, printed, stop: async () => (stop.abort(), ended) };
}

/** Asks as a client should: what a busy server puts off is asked for again. */
async function fetchInTime(url: URL, options?: RequestInit): Promise<Response> {
  const answer = await fetch(url, options);
  if (answer.status !== 503) return answer;
  await setTimeout(1000 * Number(answer.headers.get('retry-after')));
  return fetchInTime(url, options);
}

describe('ctx up', () => {
  it('prints an address with a key in its fragment, keeps the key private, and stops at Ctrl-C', async () => {
    const store = `sqlite:${join(folder, 'ctx.db')}`;
    const running = await up('--store', store);
    const url = new URL(running.first.trim());
    expect(url.hostname).toBe('127.0.0.1');
    const key = url.hash.slice('#key='.length);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetchInTime(new URL('/v1/keys', url), { headers });
    expect(answer.status).toBe(200);
    expect((await fetchInTime(new URL('/v1/keys', url))).status).toBe(401);
    expect(await running.stop()).toBe(0);
    const again = await up('--store', store, '--json');
    const { keyFile } = JSON.parse(again.first) as { keyFile: string };
    expect((await readFile(keyFile, 'utf8')).trim()).toBe(key);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'home', 'data', 'keys'))).mode & 0o777).toBe(0o700);
    expect(await again.stop()).toBe(0);
  });

  it('answers to the names it is given, and to no other', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    probe.close();
    const running = await up(
      ...['--store', 'memory:', '--port', String(port), '--host', '0.0.0.0'],
      ...['--name', 'ctx.test', '--drain', '1', '--max-age', '90d', '--max-bytes', '2GB'],
    );
    const statusOf = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { port, host: '127.0.0.1', path: '/healthz', headers: { host } };
        get(options, ({ statusCode }) => {
          resolve(statusCode);
        }).on('error', reject);
      });
    expect(await statusOf('ctx.test')).toBe(200);
    expect(await statusOf(`127.0.0.1:${String(port)}`)).toBe(200);
    expect(await statusOf('other.test')).toBe(421);
    expect(await running.stop()).toBe(0);
  });

  it.each([
    ['--host', '0.0.0.0'],
    ['--max-age', 'soon'],
    ['--host', '10.0.0.1', '--no-auth'],
  ])('refuses %s %s', async (...flags) => {
    const { exitCode } = await runOn({ cwd: folder }, 'up', '--store', 'memory:', ...flags);
    expect(exitCode).toBe(flags.includes('--no-auth') ? 5 : 2);
  });

  it('makes another key where the one that was kept is no longer good', async () => {
    const path = join(folder, 'ctx.db');
    const first = await up('--store', `sqlite:${path}`);
    await first.stop();
    const stores = await openTenants(sqliteBackend({ path }));
    const { entries } = await stores.keys.list();
    await stores.keys.revoke(entries[0]?.id ?? '');
    await stores.close();
    const second = await up('--store', `sqlite:${path}`);
    expect(second.first).not.toBe(first.first);
    await second.stop();
  });

  it('asks for no key where it is told to', async () => {
    const running = await up('--store', 'memory:', '--no-auth');
    const url = running.first.trim();
    expect(url).not.toContain('#');
    const answer = await fetchInTime(new URL('/v1/stats', url));
    expect([answer.status, await answer.json()]).toEqual([200, expect.anything()]);
    await running.stop();
  });

  it('says why it is at another port than the usual one', async () => {
    const other = createServer().listen(4777, '127.0.0.1');
    // Where somebody else has it already, it is taken all the same.
    await once(other, 'listening').catch(() => undefined);
    const running = await runUp({}, '--store', 'memory:');
    expect(new URL(running.first.trim()).port).not.toBe('4777');
    expect(await running.stop()).toBe(0);
    expect(running.told.join('')).toContain('usual port 4777 is taken');
    other.close();
  });

  it('tells the page how commands are called here, and who asks from another machine nothing of it', async () => {
    const told = async (...flags: string[]) => {
      const running = await runUp({ npm_lifecycle_event: 'start' }, '--port', '0', ...flags);
      const url = new URL(running.first.trim());
      const headers = { authorization: `Bearer ${url.hash.slice('#key='.length)}` };
      const answer = await fetchInTime(new URL('/v1/key', url), { headers });
      await running.stop();
      return (await answer.json()) as object;
    };
    expect(await told()).toEqual({ scope: 'admin', tenant: 'default', call: 'npm run ctx --' });
    expect(await told('--host', '127.0.0.1')).toEqual({ scope: 'admin', tenant: 'default' });
  });

  it('says that a port is taken', async () => {
    const running = await up('--store', 'memory:', '--json');
    const { port } = JSON.parse(running.first) as { port: number };
    const machine = { cwd: folder };
    const { exitCode, stderr } = await runOn(
      machine,
      'up',
      '--store=memory:',
      `--port=${String(port)}`,
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is taken')]);
    await running.stop();
  });
});

describe('ctx up --demo', () => {
  it('says how commands beside it see its store, and accepts a key that is made so', async () => {
    const running = await up('--demo', '--store', `sqlite:${join(folder, 'demo.db')}`);
    const lineOf = (start: string) => running.told.find((line) => line.startsWith(start)) ?? '';
    while (lineOf('Another key: ') === '') await setTimeout(20);
    const run = (line: string) => runOn({ cwd: folder }, ...wordsOf(line.trim()));
    expect((await run(lineOf('Its sessions: ').replace('Its sessions: ', ''))).stdout).toMatch(
      /^demo /m,
    );
    const made = await run(lineOf('Another key: ').replace('Another key: ', ''));
    const [address = ''] = running.printed.filter((text) => text.includes('#key='));
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    const { status } = await fetchInTime(new URL('/v1/sessions', address), { headers });
    expect(status).toBe(200);
    expect(await running.stop()).toBe(0);
    expect(running.told.at(-1)).toMatch(/^Stopped; .* is closed\.\n$/);
  });

  it('adds the recorded session to the store that an import uses, and says how to remove it', async () => {
    const running = await up('--demo');
    const start = 'Without the demo: ';
    const lineOf = () => running.told.find((line) => line.startsWith(start)) ?? '';
    while (lineOf() === '') await setTimeout(20);
    await writeFile(join(folder, 'own.jsonl'), claudeLog(3));
    const run = (...args: string[]) => runOn({ cwd: folder }, ...args);
    expect((await run('import', 'own.jsonl')).exitCode).toBe(0);
    const [address = ''] = running.printed.filter((text) => text.includes('#key='));
    const key = address.trim().slice(address.indexOf('#key=') + 5);
    const served = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetchInTime(new URL('/v1/sessions', address), { headers });
      const { sessions } = (await answer.json()) as { sessions: { id: string }[] };
      return sessions.map(({ id }) => id).sort();
    };
    expect(await served()).toEqual(['demo', 'live']);
    const purged = await run(...wordsOf(lineOf().replace(start, '').trim()), '--yes');
    expect(purged.exitCode).toBe(0);
    expect(await served()).toEqual(['live']);
    expect(await running.stop()).toBe(0);
  });

  it('refuses flags that do not go together', async () => {
    const machine = { cwd: folder };
    expect((await runOn(machine, 'up', '--once')).stderr).toContain('goes with --demo');
    expect((await runOn(machine, 'up', '--demo', '--json')).stderr).toContain('no --json');
  });
});

describe('ctx keys', () => {
  it('makes a key, lists it without its secret, and revokes it', async () => {
    const run = (...argv: string[]) =>
      runOn({ cwd: folder }, 'keys', ...argv, '--store=sqlite:k.db');
    const made = await run('create', '--scope', 'write', '--label', 'ci', '--json');
    const { text, keys } = JSON.parse(made.stdout) as { text: string; keys: { id: string }[] };
    const id = keys[0]?.id ?? '';
    expect(text).toMatch(/^ctx_/);
    const listed = await run('list');
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).toContain('ci');
    expect(listed.stdout).not.toContain(text.slice(-20));
    await run('create', '--expires', '90d');
    expect((await run('list')).stdout).toContain('good until');
    expect((await run('create', '--expires', 'soon')).exitCode).toBe(2);
    expect((await run('revoke', id)).stdout).toContain('revoked');
    expect((await run('revoke', '0000000000000000')).exitCode).toBe(3);
    expect((await run('revoke')).exitCode).toBe(2);
    expect((await run('melt')).exitCode).toBe(2);
    const stores = await openTenants(sqliteBackend({ path: join(folder, 'k.db') }));
    expect(await stores.keys.verify(text)).toBeUndefined();
    await stores.close();
  });

  it('does not make a store only to list nothing', async () => {
    const { exitCode } = await runOn({ cwd: folder }, 'keys', 'list', '--store=sqlite:none.db');
    expect(exitCode).toBe(3);
    await expect(chmod(join(folder, 'none.db'), 0o600)).rejects.toThrow(/ENOENT/);
  });
});

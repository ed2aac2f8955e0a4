import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseStoreUrl } from '@ctx/agent-adapter/store';
import { openStore, storeCollections } from '@ctx/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { makeTestHome, type TestHome } from '../test-support/run-bin.ts';

// Each test starts the real command several times; a busy machine takes its time.
vi.setConfig({ testTimeout: 480_000 });

const server = process.env['CTX_TEST_POSTGRES'] ?? '';
const why = server === '' ? ' (no PostgreSQL: give one as CTX_TEST_POSTGRES)' : '';
const outputs = 60;
let home: TestHome;

/** A store of its own on the server. */
function urlOf(name: string): string {
  const url = new URL(server);
  url.password = 'never-shown';
  url.searchParams.set('schema', `cli_${String(process.pid)}_${name}`);
  return url.href;
}

interface Answer {
  readonly copied: number;
  readonly unchanged: number;
  readonly verified: number;
  readonly differences: readonly string[];
}

async function migrate(from: string, to: string, flags: readonly string[]): Promise<Answer> {
  const ended = await home.run(['migrate', '--from', from, '--to', to, ...flags, '--json']);
  expect([ended.exitCode, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout).not.toContain('never-shown');
  return JSON.parse(ended.stdout) as Answer;
}

/** A module that kills this process, as a power cut would, before it sends something to a server for the n-th time. */
function killAt(sends: number): string {
  const path = join(home.folder, `kill-${String(sends)}.mjs`);
  const text = `import { Socket } from 'node:net';
const plain = Socket.prototype.write;
let sent = 0;
Socket.prototype.write = function (...args) {
  sent += 1;
  if (sent === ${String(sends)}) process.kill(process.pid, 'SIGKILL');
  return plain.apply(this, args);
};
`;
  writeFileSync(path, text);
  return path;
}

beforeAll(async () => {
  home = makeTestHome();
  const url = parseStoreUrl('sqlite:from', { cwd: home.folder, home: home.folder });
  const store = await openStore(await backendOf(url));
  for (const sessionId of ['one', 'two', 'three']) {
    await store.sessions.update(sessionId, (session) => session);
    const calls = Array.from({ length: outputs / 3 }, (_, at) => ({
      ...{ sessionId, toolName: 'read', args: { at } },
      result: `result ${String(at)} of ${sessionId} \u0000 \ud800 é`,
    }));
    await store.outputs.saveAll(calls);
    await store.items.save({ agentId: 'ada', kind: 'TASK', content: sessionId });
  }
  await store.close();
});
afterAll(() => {
  home.remove();
});

describe.skipIf(server === '')(`a store on PostgreSQL in the command${why}`, () => {
  it('is the same after a way over all stores', async () => {
    const [first, second] = [urlOf('way'), urlOf('back')];
    const way = ['sqlite:from', first, 'fs:files', second, 'sqlite:back'];
    let counted: number | undefined;
    for (const [at, to] of way.slice(1).entries()) {
      const answer = await migrate(way[at] ?? '', to, ['--verify']);
      expect(answer.differences).toEqual([]);
      counted ??= answer.verified;
      expect(answer.verified).toBe(counted);
    }
    const last = await migrate('sqlite:from', 'sqlite:back', ['--verify']);
    expect(last).toMatchObject({ copied: 0, unchanged: counted, differences: [] });
  });

  it('goes on after a migration was killed at ten places, and doubles nothing', async () => {
    const target = urlOf('killed');
    const argv = ['migrate', '--from', 'sqlite:from', '--to', target];
    for (const sends of [4, 8, 12, 20, 28, 34, 38, 42, 46, 50]) {
      const env = { NODE_OPTIONS: `--import=${killAt(sends)}` };
      const killed = await home.run(argv, { env });
      expect([sends, killed.exitCode, killed.stdout]).toEqual([sends, null, '']);
    }
    const answer = await migrate('sqlite:from', target, ['--verify']);
    expect(answer.differences).toEqual([]);
    expect(answer.verified).toBe(answer.copied + answer.unchanged);
    const third = await migrate('sqlite:from', target, []);
    expect(third.copied).toBe(0);
  });

  it('is found by CTX_STORE and the own config, looked after, and never shown with its password', async () => {
    const env = { CTX_STORE: urlOf('way') };
    const said: string[] = [];
    for (const argv of [['doctor'], ['stats'], ['verify'], ['config', 'list'], ['search', 'two']]) {
      const ended = await home.run(argv, { env });
      expect([argv, ended.exitCode]).toEqual([argv, 0]);
      said.push(ended.stdout, ended.stderr);
    }
    const missing = await home.run(['stats', '--store', urlOf('missing')]);
    expect(missing.exitCode).not.toBe(0);
    said.push(missing.stdout, missing.stderr);
    const kept = await home.run(['config', 'set', 'store', urlOf('way')]);
    said.push(kept.stdout, kept.stderr);
    expect((await home.run(['stats'])).exitCode).toBe(0);
    expect(said.join('\n')).not.toContain('never-shown');
    expect(said.join('\n')).toContain('postgres://');
  });

  it('is destroyed in part by purge, and its residue when that is asked for', async () => {
    const store = ['--store', urlOf('back'), '--yes'];
    const purged = await home.run(['purge', 'one', ...store]);
    expect([purged.exitCode, purged.stderr]).toEqual([0, expect.stringContaining('--residue')]);
    expect((await home.run(['purge', '--residue', ...store])).exitCode).toBe(0);
    const shown = await home.run(['stats', '--store', urlOf('back'), '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ sessions: 2 });
  });

  it('is purged to the end by any process after the one that began was killed, in batches, by two at once', async () => {
    const url = urlOf('purged');
    const place = parseStoreUrl(url, { cwd: home.folder, home: home.folder });
    const store = await openStore(await backendOf(place));
    const event = { type: 'n', payload: 'words' };
    for (let at = 0; at < 3000; at += 500) {
      await store.events.append(
        'long',
        Array.from({ length: 500 }, () => event),
      );
    }
    await store.close();
    const left = async (): Promise<number> => {
      const backend = await backendOf(place);
      await backend.open(storeCollections);
      const query = { collection: 'events', index: 'key', equal: ['default', 'long'] };
      const [tally] = await backend.tally(query);
      await backend.close();
      return tally?.count ?? 0;
    };
    // Somewhere between the first batch and the last: which send that is depends on how a store is opened.
    let counts: number[] = [];
    for (let sends = 40; !counts.some((count) => count > 0 && count < 3000); sends += 10) {
      const env = { NODE_OPTIONS: `--import=${killAt(sends)}` };
      const killed = await home.run(['purge', 'long', '--yes', '--store', url], { env });
      expect([sends, killed.exitCode]).toEqual([sends, null]);
      counts = [...counts, await left()];
    }
    // Whole batches are gone, and no part of one.
    expect(counts.map((count) => count % 500)).toEqual(counts.map(() => 0));
    const seen = await home.run(['verify', '--store', url]);
    expect(seen.stdout).toContain('unfinished-purge');
    const resume = () => home.run(['purge', '--resume', '--store', url]);
    const ended = await Promise.all([resume(), resume()]);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(await left()).toBe(0);
    expect((await home.run(['verify', '--store', url])).exitCode).toBe(0);
  });
});

it('a project names no server', async () => {
  const ended = await home.run([
    'config',
    'set',
    'store',
    'postgres://me:s3cret@db/x',
    '--project',
  ]);
  expect(ended.exitCode).not.toBe(0);
  expect(ended.stderr).not.toContain('s3cret');
  const hooked = await home.run([
    'init',
    'claude-code',
    '--yes',
    '--store',
    'postgres://me:s3cret@db/x',
  ]);
  expect(hooked.exitCode).not.toBe(0);
  expect(hooked.stderr).toContain('CTX_STORE');
  expect(hooked.stderr).not.toContain('s3cret');
});

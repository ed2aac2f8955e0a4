import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { makeTestHome, type TestHome } from '../test-support/run-bin.ts';

// Each test starts the real command several times; a busy machine takes its time.
let home: TestHome;

const outputs = 180;

async function open(scheme: 'sqlite' | 'fs', name: string) {
  const path = join(home.folder, name);
  return backendOf({ scheme, path, text: `${scheme}:${path}` });
}

beforeAll(async () => {
  home = makeTestHome();
  for (const scheme of ['sqlite', 'fs'] as const) {
    const store = await openStore(await open(scheme, `from-${scheme}`));
    for (const sessionId of ['one', 'two', 'three']) {
      await store.sessions.update(sessionId, (session) => session);
      const calls = Array.from({ length: outputs / 3 }, (_, at) => ({
        ...{ sessionId, toolName: 'read', args: { at } },
        result: `result ${String(at)} of ${sessionId}`,
      }));
      await store.outputs.saveAll(calls);
      await store.events.append(
        sessionId,
        calls.map(({ result }) => ({ type: 'note', payload: result })),
      );
    }
    await store.close();
  }
});
afterAll(() => {
  home.remove();
});

/** A module that ends this process when it opens the n-th file below a folder, as a power cut would, or by another signal. */
function killAt(opens: number, folder: string, signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL'): string {
  const path = join(home.folder, `${signal}-${String(opens)}.mjs`);
  const text = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
let opened = 0;
for (const name of ['openSync', 'readFileSync', 'open']) {
  const plain = fs[name];
  fs[name] = (...args) => {
    if (String(args[0]).includes(${JSON.stringify(folder)})) opened += 1;
    if (opened === ${String(opens)}) process.kill(process.pid, '${signal}');
    return plain(...args);
  };
}
syncBuiltinESMExports();
`;
  writeFileSync(path, text);
  return path;
}

interface Answer {
  readonly copied: number;
  readonly unchanged: number;
  readonly verified: number;
  readonly differences: readonly string[];
}

test.each([
  ['sqlite', 'fs', 'to-fs', [12, 260]],
  ['fs', 'sqlite', 'from-fs', [40, 300]],
] as const)(
  'killed on the way from %s to %s a migration goes on, and doubles nothing',
  async (from, to, watched, kills) => {
    const target = `to-${to}`;
    const argv = ['migrate', '--from', `${from}:from-${from}`, '--to', `${to}:${target}`];
    for (const opens of kills) {
      rmSync(join(home.folder, target), { recursive: true, force: true });
      const env = { NODE_OPTIONS: `--import=${killAt(opens, join(home.folder, watched))}` };
      const killed = await home.run(argv, { env });
      expect([opens, killed.exitCode, killed.stdout]).toEqual([opens, null, '']);
      const again = await home.run([...argv, '--verify', '--json']);
      expect([again.exitCode, again.stderr]).toEqual([0, '']);
      const answer = JSON.parse(again.stdout) as Answer;
      expect(answer.differences).toEqual([]);
      expect(answer.verified).toBe(answer.copied + answer.unchanged);
      const stats = await home.run(['stats', '--store', `${to}:${target}`, '--json']);
      expect(JSON.parse(stats.stdout)).toMatchObject({ sessions: 3, outputs, events: outputs });
      expect((await home.run(['verify', '--store', `${to}:${target}`])).exitCode).toBe(0);
    }
    const third = await home.run([...argv, '--json']);
    expect((JSON.parse(third.stdout) as Answer).copied).toBe(0);
  },
);

test('stopped by Ctrl-C while it copies a migration says so, leaves a sound store, and goes on', async () => {
  const target = 'stopped';
  const argv = ['migrate', '--from', 'sqlite:from-sqlite', '--to', `fs:${target}`];
  const signalling = killAt(40, join(home.folder, target), 'SIGINT');
  const stopped = await home.run(argv, { env: { NODE_OPTIONS: `--import=${signalling}` } });
  expect([stopped.exitCode, stopped.stdout]).toEqual([130, '']);
  expect(stopped.stderr).toMatch(/Stopped \(CTX_ABORTED\)\n {2}the migration stopped after \d+ /);
  expect(stopped.stderr).toContain('Run the command again to go on.');
  expect((await home.run(['verify', '--store', `fs:${target}`])).exitCode).toBe(0);
  const again = await home.run([...argv, '--verify', '--json']);
  expect([again.exitCode, again.stderr]).toEqual([0, '']);
  const { unchanged, differences } = JSON.parse(again.stdout) as Answer;
  expect(differences).toEqual([]);
  expect(unchanged).toBeGreaterThan(0);
});

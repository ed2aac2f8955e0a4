import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTenants } from '@ctx/server/records';
import { sqliteBackend } from '@ctx/store-sqlite';
import { sessionLog } from '@ctx/truncation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runOn } from '../../test-support/fake-host.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctx-up-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('ctx up --demo', () => {
  it('replays the recorded session, prints its table, and serves what it stored', async () => {
    const url = `sqlite:${join(folder, 'demo.db')}`;
    // As npm start calls it.
    const machine = { cwd: folder, env: { npm_lifecycle_event: 'start' } };
    const { exitCode, stdout } = await runOn(machine, 'up', '--demo', '--once', '--store', url);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('offload');
    const readme = readFileSync(new URL('../../../../../README.md', import.meta.url), 'utf8');
    const [, shown = 'no table'] = /^```\n(.*?)^```$/ms.exec(readme) ?? [];
    expect(stdout).toContain(shown);
    const served = await openTenants(sqliteBackend({ path: join(folder, 'demo.db') }));
    const { outputs } = await (await served.store('default')).outputs.tally();
    expect(outputs).toBeGreaterThan(100);
    const found = await (await served.store('default')).outputs.search({ text: 'no such file' });
    const results = found.hits.map(({ pointer }) => pointer.fingerprint);
    expect(results).toHaveLength(new Set(results).size);
    const store = await served.store('default');
    const { timeline } = await sessionLog(store, 'demo').sent();
    expect([timeline.length, timeline.some(({ flush }) => flush !== undefined)]).toEqual([
      78,
      true,
    ]);
    expect((await store.checkpoints.list({ agentId: 'demo-agent' })).entries).toHaveLength(1);
    expect((await store.compactions.list('demo')).entries).toHaveLength(1);
    await served.close();
  });
});

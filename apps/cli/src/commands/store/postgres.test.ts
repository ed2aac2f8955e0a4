import { parseStoreUrl } from '@ctx/agent-adapter/store';
import { openStore } from '@ctx/store';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { backendOf } from '../../store/open-store-url.ts';
import { runOn } from '../../test-support/fake-host.ts';

const server = process.env['CTX_TEST_POSTGRES'] ?? '';
const why = server === '' ? ' (no PostgreSQL: give one as CTX_TEST_POSTGRES)' : '';
const machine = { cwd: '/' };

function urlOf(name: string): string {
  const url = new URL(server);
  url.searchParams.set('schema', `cmd_${String(process.pid)}_${name}`);
  return url.href;
}

async function withStore(url: string, tenant: string): Promise<void> {
  const backend = await backendOf(parseStoreUrl(url, { cwd: '/', home: '/' }));
  const store = await openStore(backend, { tenant });
  await store.items.save({ agentId: 'ada', kind: 'TASK', content: `of ${tenant}` });
  await store.close();
}

test('a store that is no PostgreSQL is refused', async () => {
  const { exitCode, stderr } = await runOn(machine, 'postgres', 'lock', '--store', 'sqlite:ctx.db');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is no store on PostgreSQL');
});

describe.skipIf(server === '')(`ctx postgres${why}`, () => {
  let store: readonly string[] = [];
  beforeAll(async () => {
    store = ['--store', urlOf('main')];
    await withStore(urlOf('main'), 'one');
    await withStore(urlOf('main'), 'two');
  });

  it('says that there is no Citus, changes nothing, and prints the statements where asked', async () => {
    const refused = await runOn(machine, 'postgres', 'distribute', '--yes', ...store);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain('has no Citus extension: nothing was distributed');
    const planned = await runOn(machine, 'postgres', 'distribute', '--dry-run', ...store);
    expect(planned.exitCode).toBe(0);
    const lines = planned.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^SELECT create_reference_table\('"cmd_\d+_main"\."ctx\$\$meta"'\);$/);
    expect(lines.filter((line) => line.includes(`."items"', 'tenant'`))).toHaveLength(1);
    const json = await runOn(machine, 'postgres', 'distribute', '--dry-run', '--json', ...store);
    expect(JSON.parse(json.stdout)).toMatchObject({ action: 'distribute', outcome: 'planned' });
  });

  it('locks tenants only when that is confirmed, and everything works on behind the lock', async () => {
    const unasked = await runOn({ ...machine, answer: false }, 'postgres', 'lock', ...store);
    expect(unasked.exitCode).toBe(5);
    const locked = await runOn(machine, 'postgres', 'lock', '--yes', '--json', ...store);
    expect(JSON.parse(locked.stdout)).toMatchObject({ action: 'lock', outcome: 'done' });
    for (const tenant of ['one', 'two']) await withStore(urlOf('main'), tenant);
    const stats = await runOn(machine, 'stats', '--json', ...store);
    expect(stats.exitCode).toBe(0);
    const checked = await runOn(machine, 'doctor', ...store);
    expect(checked.stdout).toContain('opens');
    const unlocked = await runOn({ ...machine, answer: true }, 'postgres', 'unlock', ...store);
    expect([unlocked.exitCode, unlocked.stderr]).toEqual([0, expect.stringContaining('came off')]);
  });

  it('finds no store where there is none', async () => {
    const missing = await runOn(machine, 'postgres', 'lock', '--yes', '--store', urlOf('none'));
    expect(missing.exitCode).toBe(3);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTenants } from '@ctx/server/records';
import { sqliteBackend } from '@ctx/store-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeLog } from '../test-support/agent-logs.ts';
import { runOn } from '../test-support/fake-host.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctx-told-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a command', () => {
  it('logs what it changes where a server and its page look for it', async () => {
    const path = join(folder, 'ctx.db');
    const run = (...args: string[]) => runOn({ cwd: folder }, ...args, `--store=sqlite:${path}`);
    const saved = await run('save', 'Fix the slow test', '--kind=TASK', '--json');
    expect(saved.exitCode).toBe(0);
    const { id } = (JSON.parse(saved.stdout) as { item: { id: string } }).item;
    expect((await run('pin', id)).exitCode).toBe(0);
    expect((await run('items')).exitCode).toBe(0);
    const tenants = await openTenants(sqliteBackend({ path }));
    const events = await tenants.liveLog('default').after(0);
    expect(events.map(({ sequence, type, id: of }) => [sequence, type, of])).toEqual([
      [1, 'item-saved', id],
      [2, 'tier-changed', id],
    ]);
    await tenants.close();
  });

  it('that answers a hook tells of its session and of the output', async () => {
    const path = join(folder, 'ctx.db');
    const event = {
      ...{ session_id: 'hooked', hook_event_name: 'PostToolUse', tool_name: 'Bash' },
      ...{ tool_input: { command: 'npm test' }, tool_use_id: 't1' },
      tool_response: { stdout: 'passed\n'.repeat(9000), stderr: '' },
    };
    const words = ['hook', 'claude-code', '--store', `sqlite:${path}`];
    await runOn({ cwd: folder, input: JSON.stringify(event) }, ...words);
    const tenants = await openTenants(sqliteBackend({ path }));
    const told = (await tenants.liveLog('default').after(0)).map(({ type }) => type);
    expect(told).toEqual(expect.arrayContaining(['session-updated', 'output-saved']));
    await tenants.close();
  });

  it('that imports several files tells of each session before the next one begins', async () => {
    const path = join(folder, 'ctx.db');
    await writeFile(join(folder, 'first.jsonl'), claudeLog(400));
    // Its records have no time: it was made when its import began.
    const second = { id: 'second', messages: [{ role: 'user', content: 'hi' }] };
    await writeFile(join(folder, 'second.json'), JSON.stringify(second));
    const args = ['import', 'first.jsonl', 'second.json', `--store=sqlite:${path}`];
    expect((await runOn({ cwd: folder }, ...args)).exitCode).toBe(0);
    const tenants = await openTenants(sqliteBackend({ path }));
    const [told, ...later] = await tenants.liveLog('default').after(0);
    const begun = await (await tenants.store('default')).sessions.get('second');
    expect([told?.sessionId, later.length]).toEqual(['live', 1]);
    expect(told?.at).toBeLessThanOrEqual(begun?.createdAt ?? 0);
    await tenants.close();
  });

  it('that imports tells of each session once, when all of it is there', async () => {
    const path = join(folder, 'ctx.db');
    await writeFile(join(folder, 'live.jsonl'), claudeLog(400));
    const run = (name: string) => runOn({ cwd: folder }, 'import', name, `--store=sqlite:${path}`);
    expect((await run('live.jsonl')).exitCode).toBe(0);
    expect((await run('live.jsonl')).exitCode).toBe(0);
    const tenants = await openTenants(sqliteBackend({ path }));
    const events = await tenants.liveLog('default').after(0);
    expect(events.map(({ type, sessionId }) => [type, sessionId])).toEqual([
      ['session-updated', 'live'],
    ]);
    await tenants.close();
  });
});

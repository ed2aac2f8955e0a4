import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesBelow } from '../../test-support/bytes-below.ts';
import { type FakeMachine, runOn } from '../../test-support/fake-host.ts';
import { makeFolder } from '../../test-support/sample-transcripts.ts';

const stores = ['sqlite:store/ctx.db', 'fs:store'];

function machineWith(store: string, more: Partial<FakeMachine> = {}): FakeMachine {
  return { cwd: makeFolder(), env: { CTX_STORE: store }, ...more };
}

async function json<T = unknown>(machine: FakeMachine, ...argv: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await runOn(machine, ...argv, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

async function save(machine: FakeMachine, id: string, content: string): Promise<void> {
  const { exitCode } = await runOn(machine, 'save', '--id', id, '--kind', 'TASK', content);
  expect(exitCode).toBe(0);
}

async function flashSaved(machine: FakeMachine, ...argv: string[]): Promise<string> {
  const { exitCode, stdout } = await runOn(machine, 'flash-save', ...argv);
  expect(exitCode).toBe(0);
  return stdout.trim();
}

const contentsIn = async (machine: FakeMachine): Promise<unknown> =>
  (await json<{ items: { id: string; content: string }[] }>(machine, 'items')).items
    .map(({ id, content }) => `${id}: ${content}`)
    .sort();

describe.each(stores)('the commands of checkpoints on %s', (store) => {
  it('save, compare, restore and say how to take that back', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'first a');
    await save(machine, 'b', 'first b');
    expect(await json(machine, 'flash-save', '--dry-run')).toMatchObject({
      outcome: 'planned',
      hotItemsRetained: 2,
      fits: true,
    });
    const id = await flashSaved(machine, '--label', 'before');
    expect(await json(machine, 'flash-save')).toMatchObject({
      outcome: 'unchanged',
      checkpointId: id,
    });
    await save(machine, 'a', 'second a');
    await save(machine, 'c', 'new c');
    const { items: diff } = await json<{ items: unknown }>(machine, 'diff', 'before');
    expect(diff).toMatchObject({
      from: id,
      to: 'now',
      added: [{ id: 'c', place: 'hot' }],
      changed: [{ id: 'a', before: { place: 'hot' } }],
      removed: [],
      unchanged: 1,
    });
    const restored = await json<{ undo: string }>(machine, 'restore', id.slice(0, 8), '--yes');
    expect(restored).toMatchObject({
      outcome: 'restored',
      items: { restored: 1, contents: 1, archived: 1, missing: [] },
    });
    expect(await contentsIn(machine)).toEqual(['a: first a', 'b: first b']);
    const { stderr } = await runOn(machine, 'restore', restored.undo, '--yes');
    expect(stderr).toContain('Take it back with: ctx checkpoints restore');
    expect(await contentsIn(machine)).toEqual(['a: second a', 'b: first b', 'c: new c']);
    const later = await flashSaved(machine);
    expect(await json(machine, 'diff', id, later)).toMatchObject({
      items: { added: [{ id: 'c' }] },
    });
    expect(await json(machine, 'diff', '--since', '1h')).toMatchObject({
      items: { added: { length: 3 } },
    });
  });

  it('are listed with every item counted, those that are cold and not archived, too', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'first a');
    await flashSaved(machine, '--label', 'before');
    await runOn(machine, 'save', '--id', 'b', '--importance', '0.1', 'little');
    expect((await runOn(machine, 'restore', 'before', '--yes')).exitCode).toBe(0);
    const { stdout } = await runOn(machine, 'checkpoints');
    const rows = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows[0]?.slice(4, 8)).toEqual(['hot', 'warm', 'cold', 'archived']);
    expect(rows[1]?.slice(3, 8)).toEqual(['before-restore', '1', '0', '1', '0']);
  });

  it('list by page, and delete what has no label', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'one');
    const first = await flashSaved(machine, '--label', 'named');
    await save(machine, 'a', 'two');
    const second = await flashSaved(machine);
    await save(machine, 'a', 'three');
    const third = await flashSaved(machine);
    const page = await json<{ checkpoints: { id: string }[]; next: string }>(
      machine,
      ...['checkpoints', '--limit', '2'],
    );
    expect(page.checkpoints.map(({ id }) => id)).toEqual([third, second]);
    expect(await json(machine, 'checkpoints', '--after', page.next)).toMatchObject({
      checkpoints: [{ id: first, label: 'named' }],
    });
    expect(await json(machine, 'checkpoints', '--keep', '1')).toMatchObject({
      deleted: 1,
      checkpoints: [{ id: third }, { id: first }],
    });
    expect(await json(machine, 'checkpoints', '--delete', third)).toMatchObject({ deleted: 1 });
    const { stdout } = await runOn(machine, 'checkpoints');
    expect(stdout).toContain('named');
  });

  it('ask before they restore, and change nothing without an answer', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'one');
    const id = await flashSaved(machine);
    await save(machine, 'a', 'two');
    const { exitCode, stderr } = await runOn(machine, 'restore', id);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('--yes');
    expect(await contentsIn(machine)).toEqual(['a: two']);
  });

  it('destroy an item for good, whatever checkpoints say', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'the secret word is xyzzyplugh');
    const id = await flashSaved(machine);
    await runOn(machine, 'delete', 'a');
    expect(await json(machine, 'restore', id, '--yes')).toMatchObject({
      items: { missing: [], purged: 1 },
    });
    const { stderr } = await runOn(machine, 'restore', id, '--yes');
    expect(stderr).toContain('names and all: 1 item');
    expect(bytesBelow(join(machine.cwd, 'store')).includes('xyzzyplugh')).toBe(false);
  });

  it('tell what they cannot find or do not understand', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'one');
    for (const argv of [
      ['restore', 'none', '--yes'],
      ['diff'],
      ['diff', 'x', '--since', '1h'],
      ['fork', 'none', 'new'],
      ['checkpoints', '--delete', 'x', '--keep', '1'],
      ['diff', '--requests', 'only-one.json'],
    ])
      expect((await runOn(machine, ...argv)).exitCode, argv.join(' ')).not.toBe(0);
  });

  it('begin another session from a checkpoint', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'one');
    writeFileSync(
      join(machine.cwd, 'session.json'),
      JSON.stringify({
        session_id: 's',
        system_state: {},
        facts: ['a fact'],
        recent_history: [],
        long_term_summary: '',
        active_tasks: [],
        tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
        last_known_environment: {},
        token_usage: { total_input: 0, total_output: 0, by_session: 0 },
      }),
    );
    expect((await runOn(machine, 'document', 's', '--import', 'session.json')).exitCode).toBe(0);
    const id = await flashSaved(machine, '--session', 's');
    expect(await json(machine, 'fork', id, 'f', '--to-agent', 'bob')).toMatchObject({
      session: 'f',
      agent: 'bob',
      items: 1,
    });
    const items = await json<{ items: unknown[] }>(machine, 'items', '--agent', 'bob');
    expect(items.items).toHaveLength(1);
    const { stdout } = await runOn(machine, 'facts', 'f');
    expect(stdout).toContain('a fact');
  });

  it('give another agent the items of a checkpoint without a session', async () => {
    const machine = machineWith(store);
    await save(machine, 'a', 'one');
    const id = await flashSaved(machine);
    const forked = await json<object>(machine, 'fork', id, '--to-agent', 'bob');
    expect(forked).toMatchObject({ agent: 'bob', items: 1 });
    expect(forked).not.toHaveProperty('session');
    const items = await json<{ items: unknown[] }>(machine, 'items', '--agent', 'bob');
    expect(items.items).toHaveLength(1);
    const told = await runOn(machine, 'fork', id, '--to-agent', 'eve');
    expect(told.stderr).toContain('eve has 1 item of its own');
    const { exitCode, stderr } = await runOn(machine, 'fork', id);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--to-agent')]);
  });
});

describe('ctx diff --requests', () => {
  it('says where two requests part, and what came', async () => {
    const machine = machineWith('memory:');
    const request = { system: 'rules', messages: [{ role: 'user', content: 'task' }] };
    const later = {
      ...request,
      messages: [...request.messages, { role: 'user', content: 'more' }],
    };
    writeFileSync(join(machine.cwd, 'a.json'), JSON.stringify(request));
    writeFileSync(join(machine.cwd, 'b.json'), JSON.stringify(later));
    expect(await json(machine, 'diff', '--requests', 'a.json', 'b.json')).toMatchObject({
      requests: {
        added: [{ path: 'messages[1]' }],
        unchanged: 2,
        firstDivergence: { index: 2 },
      },
    });
    const { stderr } = await runOn(machine, 'diff', '--requests', 'a.json', 'b.json');
    expect(stderr).toContain('They part at messages[1]');
  });
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

async function save(machine: FakeMachine, ...argv: string[]): Promise<string> {
  const { exitCode, stdout } = await runOn(machine, 'save', ...argv);
  expect(exitCode).toBe(0);
  return stdout.trim();
}

describe.each(stores)('the commands of items on %s', (store) => {
  it('save, list by tier and kind, and search without changing what matters', async () => {
    const machine = machineWith(store);
    const task = await save(machine, '--kind', 'TASK', 'Port the parser');
    const spec = await save(machine, '--kind', 'PRD_SECTION', 'The parser must be linear');
    expect(await json(machine, 'items')).toMatchObject({
      agent: 'default',
      items: [
        { id: task, tier: 'hot', kind: 'TASK', source: 'user', trust: 'trusted' },
        { id: spec, tier: 'warm', content: 'The parser must be linear' },
      ],
    });
    expect(await json(machine, 'items', '--tier', 'warm')).toMatchObject({ items: [{ id: spec }] });
    const found = await json<{ items: unknown[]; scores: number[] }>(
      machine,
      ...['items', '--search', 'parser', '--kind', 'TASK'],
    );
    expect(found).toMatchObject({ items: [{ id: task, accessCount: 0 }] });
    expect(found.scores).toHaveLength(1);
    const { stdout } = await runOn(machine, 'items');
    expect(stdout).toContain('hot    1.00  TASK');
  });

  it('page through a long list', async () => {
    const machine = machineWith(store);
    for (const id of ['a', 'b', 'c']) await save(machine, '--id', id, '--kind', 'TASK', id);
    const first = await json<{ items: { id: string }[]; next: string }>(
      machine,
      ...['items', '--limit', '2'],
    );
    const rest = await json<{ items: { id: string }[] }>(machine, 'items', '--after', first.next);
    const ids = [...first.items, ...rest.items].map(({ id }) => id);
    expect(ids.sort()).toEqual(['a', 'b', 'c']);
    expect(rest).not.toHaveProperty('next');
  });

  it('pin, finish, archive and take each of them back', async () => {
    const machine = machineWith(store);
    const id = await save(machine, '--kind', 'NOTE', 'Deploys run on Fridays');
    const change = async (...argv: string[]) => json(machine, ...argv, id);
    expect(await change('pin')).toMatchObject({
      changed: true,
      tierBefore: 'warm',
      item: { tier: 'hot', pinned: true },
    });
    expect(await change('pin')).toMatchObject({ changed: false });
    expect(await change('unpin')).toMatchObject({ item: { tier: 'warm' } });
    expect(await change('finish')).toMatchObject({ tierBefore: 'warm', item: { tier: 'cold' } });
    expect(await change('touch')).toMatchObject({ item: { tier: 'cold', accessCount: 1 } });
    expect(await change('reopen')).toMatchObject({ item: { tier: 'warm' } });
    expect(await change('archive')).toMatchObject({ item: { archived: true } });
    expect(await json(machine, 'items')).toMatchObject({ items: [] });
    expect(await json(machine, 'items', '--archived')).toMatchObject({ items: [{ id }] });
    expect(await change('unarchive')).toMatchObject({ item: { archived: false } });
    const { stderr } = await runOn(machine, 'finish', id);
    expect(stderr).toBe(`NOTE ${id} is finished: warm → cold.\n`);
    expect((await runOn(machine, 'finish', id)).stderr).toContain('is finished already: cold.');
  });

  it('show one item, why it matters and when that ends', async () => {
    const machine = machineWith(store);
    const id = await save(machine, '--kind', 'TASK', '--importance', '0.9', 'Port it');
    const shown = await json(machine, 'item', id.slice(0, 8));
    expect(shown).toMatchObject({
      item: { id, accessCount: 0, content: 'Port it' },
      why: { weight: 0.9, isOwnWeight: true, boost: 1, next: { tier: 'warm' } },
    });
    const { stdout } = await runOn(machine, 'item', id);
    expect(stdout).toContain('because  weight 0.90 (its own) × boost 1.00 × decay 1.00\n');
    expect(stdout).toMatch(/\n\nPort it\n$/);
  });

  it('show tiers as bars, and what fell', async () => {
    const machine = machineWith(store);
    await save(machine, '--kind', 'TASK', 'one two three');
    await save(machine, '--kind', 'NOTE', 'four');
    const archived = await save(machine, '--kind', 'NOTE', 'five');
    await runOn(machine, 'archive', archived);
    const { stdout } = await runOn(machine, 'tiers');
    expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      'hot ██████████████████░░░░░░ 1 item 3 tokens',
      'warm ██████░░░░░░░░░░░░░░░░░░ 1 item 1 token',
      'cold ░░░░░░░░░░░░░░░░░░░░░░░░ 0 items 0 tokens',
      expect.stringMatching(/^archived 1 item \d tokens?$/),
      '',
    ]);
    expect(await json(machine, 'tiers', '--changed-since', '1h')).toMatchObject({
      items: 2,
      archived: { items: 1 },
      changed: [],
    });
  });

  it('delete leaves no byte', async () => {
    const machine = machineWith(store);
    const id = await save(machine, 'a quagmire of words');
    await save(machine, 'something else');
    const deleted = await json(machine, 'delete', id);
    expect(deleted).toMatchObject({ agent: 'default', id });
    const bytes = bytesBelow(join(machine.cwd, 'store')).toString('latin1');
    expect(bytes).toContain('something else');
    expect(bytes).not.toContain('quagmire');
    expect((await runOn(machine, 'delete', id)).exitCode).toBe(3);
  });

  it('delete asks whoever sits there, once, and destroys nothing after a no', async () => {
    const machine = machineWith(store);
    const id = await save(machine, 'a quagmire of words');
    const refused = await runOn({ ...machine, answer: false }, 'delete', id);
    expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining('nothing')]);
    expect((await runOn(machine, 'item', id)).exitCode).toBe(0);
    expect((await runOn({ ...machine, answer: false }, 'delete', id, '--yes')).exitCode).toBe(0);
    expect((await runOn(machine, 'item', id)).exitCode).toBe(3);
  });

  it('say where content comes from where there is none', async () => {
    const { exitCode, stderr } = await runOn({ ...machineWith(store), input: '' }, 'save');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('as an argument, with --file')]);
  });

  it('take the name of a tier as the server writes it', async () => {
    const machine = machineWith(store);
    await save(machine, '--kind', 'TASK', 'one two three');
    const { items } = await json<{ items: unknown[] }>(machine, 'items', '--tier', 'HOT');
    expect(items).toHaveLength(1);
  });

  it('keep the items of agents apart', async () => {
    const machine = machineWith(store);
    const id = await save(machine, '--agent', 'ada', 'of ada');
    const { exitCode, stderr } = await runOn(machine, 'pin', id);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      `there is no item ${id} of agent default; there are items of ada (--agent)`,
    );
    const listed = await runOn(machine, 'items', '--agent', 'bob');
    expect(listed.stderr).toBe('No items of bob; there are items of ada (--agent).\n');
    expect(await json(machine, 'pin', id, '--agent', 'ada')).toMatchObject({ changed: true });
  });
});

describe('ctx save', () => {
  /** A folder with what a content may be taken from, and what not. */
  function withFiles(): FakeMachine {
    const machine = machineWith('fs:store');
    writeFileSync(join(machine.cwd, 'note.md'), '# Scope\n');
    symlinkSync(join(machine.cwd, 'note.md'), join(machine.cwd, 'link.md'));
    mkdirSync(join(machine.cwd, 'folder'));
    return machine;
  }

  it('takes the content from a file, and from standard input', async () => {
    const machine = withFiles();
    await save(machine, '--file', 'note.md', '--id', 'file');
    await save({ ...machine, input: 'from a pipe' }, '--id', 'pipe');
    await save({ ...machine, input: 'from a dash' }, '-', '--id', 'dash');
    expect(await json(machine, 'item', 'file')).toMatchObject({
      item: { content: '# Scope\n', source: 'file', trust: 'untrusted' },
    });
    expect(await json(machine, 'item', 'pipe')).toMatchObject({
      item: { content: 'from a pipe', trust: 'untrusted' },
    });
    expect(await json(machine, 'item', 'dash')).toMatchObject({ item: { content: 'from a dash' } });
  });

  it('says whether it made, replaced or refreshed an item', async () => {
    const machine = withFiles();
    const once = ['save', '--once', '--kind', 'TASK', 'x = 1'];
    expect(await json(machine, ...once)).toMatchObject({ outcome: 'created' });
    expect(await json(machine, ...once)).toMatchObject({ outcome: 'refreshed', tierBefore: 'hot' });
    await save(machine, '--id', 'plan', 'first');
    expect(await json(machine, 'save', '--id', 'plan', 'second')).toMatchObject({
      outcome: 'replaced',
      item: { id: 'plan', kind: 'NOTE' },
    });
    const { stderr } = await runOn(machine, 'save', '--id', 'plan', 'third');
    expect(stderr).toMatch(/^NOTE of default replaced: \d+ tokens?, warm\.\n$/);
  });

  it('takes secrets out first', async () => {
    const machine = withFiles();
    const secret = ['ghp', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789'].join('_');
    await save(machine, '--id', 'secret', `token ${secret}`);
    const { stdout } = await runOn(machine, 'item', 'secret');
    expect(stdout).toContain('[redacted: ');
    expect(stdout).not.toContain(secret);
  });

  it.each<readonly [string, readonly string[], number, string]>([
    ['nothing to save', [], 2, 'give the content as an argument'],
    ['a missing file', ['--file', 'none.md'], 3, 'there is no file none.md'],
    ['a folder', ['--file', 'folder'], 2, 'folder is no file'],
    ['a link', ['--file', 'link.md'], 2, 'link.md is no file'],
    ['two contents', ['x', '--file', 'note.md'], 2, 'not both'],
    ['an id together with once', ['x', '--id', 'a', '--once'], 2, 'give id or once, not both'],
    ['an importance above 1', ['x', '--importance', '2'], 2, '0…1'],
    ['an empty content', [''], 2, 'content must be a text, not empty'],
    ['an unknown flag', ['x', '--kinds', 'CODE'], 2, '--kind'],
  ])('refuses %s', async (_, argv, exitCode, message) => {
    const machine = withFiles();
    const run = await runOn(machine, 'save', ...argv);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(message);
  });

  it('refuses what is too large, from wherever it comes', async () => {
    const machine = withFiles();
    const input = 'x'.repeat(1_048_577);
    writeFileSync(join(machine.cwd, 'large.txt'), input);
    const piped = await runOn({ ...machine, input }, 'save');
    const filed = await runOn(machine, 'save', '--file', 'large.txt');
    expect([piped.exitCode, filed.exitCode]).toEqual([1, 1]);
    expect(piped.stderr).toContain('standard input has more than 1048576 bytes');
    expect(filed.stderr).toContain('large.txt has more than 1048576 bytes');
  });
});

describe('the commands of items', () => {
  it('say which id was meant', async () => {
    const machine = machineWith('fs:store');
    for (const id of ['plan-a', 'plan-b']) await save(machine, '--id', id, id);
    const two = await runOn(machine, 'pin', 'plan');
    expect([two.exitCode, two.stderr]).toEqual([
      2,
      expect.stringContaining('several items begin with plan: plan-'),
    ]);
    const near = await runOn(machine, 'pin', 'an-a');
    expect([near.exitCode, near.stderr]).toEqual([
      3,
      expect.stringContaining('did you mean plan-a?'),
    ]);
    const tier = await runOn(machine, 'items', '--tier', 'lukewarm');
    expect([tier.exitCode, tier.stderr]).toEqual([2, expect.stringContaining('hot, warm, cold')]);
    const time = await runOn(machine, 'tiers', '--changed-since', 'yesterday');
    expect([time.exitCode, time.stderr]).toEqual([2, expect.stringContaining('such as 2h')]);
    expect((await runOn(machine, 'tiers', '--after', 'x')).exitCode).toBe(2);
  });

  it('make no store where they only read', async () => {
    const machine = machineWith('sqlite:none.db');
    for (const command of ['items', 'tiers', 'item x', 'pin x', 'delete x'])
      expect((await runOn(machine, ...command.split(' '))).exitCode).toBe(3);
  });

  it('colour the bars on a terminal, unless it is asked not to', async () => {
    const machine = machineWith('fs:store');
    await save(machine, '--kind', 'TASK', 'x');
    const terminal = { ...machine, isTty: true };
    expect((await runOn(terminal, 'tiers')).stdout).toContain('\u001b[31m█');
    const plain = { ...terminal, env: { ...machine.env, NO_COLOR: '1' } };
    expect((await runOn(plain, 'tiers')).stdout).not.toContain('\u001b');
  });

  it('show no hidden sign of a content on a terminal', async () => {
    const machine = machineWith('fs:store');
    await save(machine, '--id', 'bad', 'red \u001b[31malert\u202e');
    const terminal = { ...machine, isTty: true, env: { ...machine.env, NO_COLOR: '1' } };
    for (const argv of [['items'], ['item', 'bad']]) {
      const { stdout } = await runOn(terminal, ...argv);
      expect(stdout).toContain('\\u001b[31malert\\u202e');
      expect(stdout).not.toContain('\u001b');
    }
  });
});

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContextManager } from '@ctx/agent-adapter';
import { openSqliteStore } from '@ctx/store-sqlite';
import { describe, expect, it } from 'vitest';
import { bytesBelow } from '../../test-support/bytes-below.ts';
import { type FakeMachine, runOn } from '../../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../../test-support/sample-transcripts.ts';

const stores = ['sqlite:ctx.db', 'fs:data'];

function sessionJson(entries: number): string {
  return JSON.stringify({
    session_id: 'user:agent:1',
    facts: ['Tabs, not spaces', 'tabs not spaces'],
    recent_history: Array.from({ length: entries }, (_, at) => ({
      timestamp: 1_708_654_321 + at,
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${String(at + 1)}`,
    })),
    active_tasks: [{ id: 't0', description: 'Watch', status: 'Running', progress: 0.5 }],
    tool_stats: { total_calls: 3, by_tool: { read: 3 }, failures: 1 },
    last_known_environment: { workspace: '/home/dev/project' },
  });
}

/** A store with one session of 51 entries, taken in from a file. */
async function prepare(store: string, entries = 51): Promise<FakeMachine> {
  const folder = makeFolder();
  const machine = { cwd: folder, env: { CTX_STORE: store } };
  writeFileSync(join(folder, 'session.json'), sessionJson(entries));
  const { exitCode, stderr } = await runOn(machine, 'document', '--import', 'session.json');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return machine;
}

async function json(machine: FakeMachine, ...argv: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runOn(machine, ...argv, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe.each(stores)('the commands of a session on %s', (store) => {
  it('compact it, show what was done, and take it back', async () => {
    const machine = await prepare(store);
    expect(await json(machine, 'status', 'user:agent:1')).toMatchObject({
      compactionDue: 'entries',
      history: { entries: 51, pinned: 0 },
    });
    const planned = await json(machine, 'compact', 'user', '--dry-run');
    expect(planned).toMatchObject({ outcome: 'planned', entries: 21, keeps: 30, factsDropped: 1 });
    const done = await json(machine, 'compact', 'user', '--if-due');
    expect(done).toMatchObject({
      outcome: 'compacted',
      fits: true,
      compaction: { sequence: 0, trigger: 'entries', strategy: 'lines' },
    });
    expect(await json(machine, 'compact', 'user')).toMatchObject({ outcome: 'nothing' });
    expect(await json(machine, 'status', 'user')).toMatchObject({
      history: { entries: 30, pinned: 1 },
      facts: { count: 1 },
      lastCompaction: { state: 'applied' },
    });
    const listed = await runOn(machine, 'compact', 'user', '--list');
    expect(listed.stdout).toContain('entries  lines');
    const undone = await json(machine, 'compact', 'user', '--undo');
    expect(undone).toMatchObject({ outcome: 'undone', entries: 21 });
    const { stdout } = await runOn(machine, 'document', 'user');
    expect(JSON.parse(stdout)).toEqual({
      ...(JSON.parse(sessionJson(51)) as object),
      system_state: {},
      long_term_summary: '',
      token_usage: { total_input: 0, total_output: 0, by_session: 0 },
    });
  });

  it('say when a compaction would have paid, and refuse one that never would', async () => {
    const machine = await prepare(store);
    const flags = ['--dry-run', '--summary-tokens', '50'];
    const planned = await json(machine, 'compact', 'user', ...flags);
    expect(planned).toMatchObject({ outcome: 'planned', price: 'anthropic-5m', entries: 21 });
    const { breakEvenRequests = 0 } = planned as { breakEvenRequests?: number };
    expect(breakEvenRequests).toBeGreaterThan(0);
    const told = await runOn(machine, 'compact', 'user', '--dry-run');
    expect(told.stderr).toContain('at most');
    const history = (JSON.parse(sessionJson(34)) as { recent_history: unknown[] }).recent_history;
    const short = JSON.stringify({ session_id: 'short', recent_history: history });
    writeFileSync(join(machine.cwd, 'short.json'), short);
    await runOn(machine, 'document', '--import', 'short.json');
    expect(await json(machine, 'compact', 'short')).toMatchObject({
      ...{ outcome: 'nothing', reason: 'no-shorter' },
    });
    const refused = await runOn(machine, 'compact', 'short');
    expect(refused.stderr).toContain('Not done, it would not pay');
    expect(await json(machine, 'status', 'short')).toMatchObject({ history: { entries: 34 } });
    expect(await json(machine, 'compact', 'user', '--price', 'openai', '--dry-run')).toMatchObject({
      price: 'openai',
    });
    const { exitCode } = await runOn(machine, 'compact', 'user', '--price', 'none');
    expect(exitCode).toBe(2);
  });

  it('keep facts of a session and its agent, recall and forget them', async () => {
    const machine = await prepare(store, 2);
    const added = await json(machine, 'facts', 'user', '--add', 'Deploys run on Fridays', '--pin');
    expect(added).toMatchObject({
      session: 'user:agent:1',
      facts: [{}, {}, { text: 'Deploys run on Fridays', trust: 'trusted', pinned: true }],
    });
    await json(machine, 'facts', 'user', '--promote', 'deploys run on fridays.');
    const recalled = await json(machine, 'recall', 'when do deploys run?');
    expect(recalled).toMatchObject({
      facts: [{ text: 'Deploys run on Fridays', sessions: ['user:agent:1'] }],
    });
    const forgotten = await json(machine, 'forget', 'Deploys run on Fridays');
    expect(forgotten).toMatchObject({
      facts: [],
      forgotten: { wasKnown: true, sessions: ['user:agent:1'] },
    });
    const bytes = bytesBelow(join(machine.cwd, 'store')).toString('latin1').toLowerCase();
    expect(bytes).toContain('tabs not spaces');
    expect(bytes).not.toContain('fridays');
    const paged = await json(machine, 'facts', 'user', '--limit', '1');
    expect(paged).toMatchObject({ facts: [{ text: 'Tabs, not spaces' }], next: '1' });
    const more = await json(machine, 'facts', 'user', '--limit', '1', '--after', '1');
    expect(more).not.toHaveProperty('next');
  });

  it('list and change tasks', async () => {
    const machine = await prepare(store, 2);
    await json(machine, 'tasks', 'user', '--set', 't1', '--description', 'Port');
    const done = await json(machine, 'tasks', 'user', '--set', 't1', '--status', 'DONE');
    expect(done).toMatchObject({
      tasks: [
        { id: 't0', isOver: false, progress: 0.5 },
        { id: 't1', description: 'Port', status: 'DONE', isOver: true },
      ],
    });
    const { stdout } = await runOn(machine, 'tasks', 'user');
    expect(stdout).toContain('t0    Running      50 %');
    const status = await runOn(machine, 'status', 'user');
    expect(status.stdout).toContain('tasks     1 running, 1 over\n');
  });
});

describe('the status of an imported session', () => {
  it('says where it came from and what its log holds, not a list of noughts', async () => {
    const machine = { cwd: makeFolder(), env: { CTX_STORE: 'fs:data' } };
    writeJsonFile(machine.cwd, 'a.json', longSession('long', 3));
    await runOn(machine, 'import', 'a.json');
    const { stdout } = await runOn(machine, 'status', 'long');
    expect(stdout).toMatch(
      /^imported {2}\S+a\.json \(anthropic\)\nlog {7}\d+ events, [\d,]+ tokens$/m,
    );
    expect(stdout).toContain(
      'memory    nothing yet: `ctx compact --from-log` takes in what the log holds\n',
    );
    expect(stdout).not.toContain('0 pinned');
    expect(await json(machine, 'status', 'long')).toMatchObject({
      imported: { format: 'anthropic' },
      history: { entries: 0 },
    });
  });
});

it('a session of an agent is not told to take in a log that only imports have', async () => {
  const machine = { cwd: makeFolder(), env: { CTX_STORE: 'sqlite:ctx.db' } };
  const store = await openSqliteStore({ path: join(machine.cwd, 'ctx.db') });
  const manager = createContextManager({ store, sessionId: 'live' });
  const said = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Port it.' }] }];
  await manager.prepare(said);
  await manager.recordToolOutput({ id: 'c', name: 'Bash', input: {} }, 'done');
  await manager.end();
  await store.close();
  for (const command of ['compact', 'status']) {
    const { exitCode, stdout, stderr } = await runOn(machine, command, 'live');
    expect({ exitCode, said: stdout + stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout + stderr).not.toContain('--from-log');
  }
});

describe('an imported session', () => {
  const imported = async (): Promise<FakeMachine> => {
    const machine = { cwd: makeFolder(), env: { CTX_STORE: 'sqlite:ctx.db' } };
    writeJsonFile(machine.cwd, 'a.json', longSession('long', 40, 20));
    await runOn(machine, 'import', 'a.json');
    return machine;
  };

  it('is compacted once its log was taken in, which a dry run does not do', async () => {
    const machine = await imported();
    const { stderr } = await runOn(machine, 'compact', 'long');
    expect(stderr).toContain('--from-log takes them in first');
    expect(await json(machine, 'compact', 'long', '--from-log', '--dry-run')).toMatchObject({
      outcome: 'planned',
      keeps: 29,
      copied: 82,
    });
    expect(await json(machine, 'status', 'long')).toMatchObject({ history: { entries: 0 } });
    const done = await json(machine, 'compact', 'long', '--from-log');
    expect(done).toMatchObject({ outcome: 'compacted', keeps: 29 });
    expect(await json(machine, 'status', 'long')).toMatchObject({ history: { entries: 29 } });
    const again = await runOn(machine, 'compact', 'long', '--from-log');
    expect(again.exitCode).toBe(4);
    expect(again.stderr).toContain('compact it without --from-log');
    expect(await json(machine, 'compact', 'long', '--undo')).toMatchObject({ outcome: 'undone' });
  });

  it('whose log is short is told to have its log in the document, though nothing was compacted', async () => {
    const machine = { cwd: makeFolder(), env: { CTX_STORE: 'sqlite:ctx.db' } };
    writeJsonFile(machine.cwd, 'a.json', longSession('short', 2));
    await runOn(machine, 'import', 'a.json');
    const { stderr } = await runOn(machine, 'compact', 'short', '--from-log');
    expect(stderr).toBe(
      '6 messages of the log are in the history of the document.\n' +
        'Nothing to compact: the history of the document is short enough.\n',
    );
    expect(await json(machine, 'status', 'short')).toMatchObject({ history: { entries: 6 } });
  });
});

describe('the commands of a session', () => {
  it('say what they do not understand', async () => {
    const machine = await prepare('fs:data', 2);
    const codes = async (...argv: string[]): Promise<number> =>
      (await runOn(machine, ...argv)).exitCode;
    expect(await codes('tasks', 'user', '--status', 'Done')).toBe(2);
    expect(await codes('tasks', 'user', '--set', 't', '--progress', '2')).toBe(2);
    expect(await codes('facts', 'user', '--promote')).toBe(2);
    expect(await codes('facts', 'user', '--after', 'x')).toBe(2);
    expect(await codes('compact', 'user', '--undo', '--list')).toBe(2);
    expect(await codes('compact', 'user', '--undo', '--from-log')).toBe(2);
    expect(await codes('compact', 'user', '--undo')).toBe(3);
    expect(await codes('status', 'nobody')).toBe(3);
    expect(await codes('document')).toBe(2);
    expect(await codes('document', '--import', 'none.json')).toBe(3);
    expect(await codes('document', '--import', '.')).toBe(2);
    expect(await codes('document', '--import', 'session.json')).toBe(4);
    expect(await codes('document', '--import', 'session.json', '--replace')).toBe(0);
  });

  it('write a readable file that only its owner may read', async () => {
    const { cwd } = await prepare('fs:data', 2);
    const path = join(cwd, 'data/default/sessions/user=3aagent=3a1.json');
    expect(readFileSync(path, 'utf8')).toContain('\n  "session_id": "user:agent:1",\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('take secrets out of a document that is taken in', async () => {
    const folder = makeFolder();
    const secret = ['ghp', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789'].join('_');
    const machine = { cwd: folder, env: { CTX_STORE: 'fs:data' } };
    writeFileSync(join(folder, 's.json'), JSON.stringify({ session_id: 's', facts: [secret] }));
    await runOn(machine, 'document', '--import', 's.json');
    const { stdout } = await runOn(machine, 'document', 's');
    expect(stdout).toContain('[redacted: ');
    expect(stdout).not.toContain(secret);
  });
});

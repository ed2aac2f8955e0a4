import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTenants } from '@ctx/server/records';
import { type ContextStore, openStore, storeCollections } from '@ctx/store';
import { openSessionWindow } from '@ctx/truncation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { bytesBelow } from '../test-support/bytes-below.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.25;

const schemes = ['sqlite', 'fs'] as const;

interface Place {
  readonly cwd: string;
  /** Holds the store and nothing else. */
  readonly folder: string;
  readonly url: string;
  readonly open: (tenant?: string, now?: number) => Promise<ContextStore>;
}

function makePlace(scheme: 'sqlite' | 'fs'): Place {
  const cwd = makeFolder();
  const folder = join(cwd, 'place');
  mkdirSync(folder);
  const path = join(folder, 'store');
  const url = `${scheme}:${path}`;
  return {
    cwd,
    folder,
    url,
    open: async (tenant = 'default', now = Date.now()) =>
      openStore(await backendOf({ scheme, path, text: url }), { tenant, clock: () => now }),
  };
}

/** Puts words of a session everywhere that a session leaves any. */
async function fill(store: ContextStore, session: string, word: string): Promise<void> {
  const call = { sessionId: session, toolName: 'read', callId: `call-${word}` };
  await store.outputs.save({
    ...call,
    args: { path: word },
    result: `${word} result `.repeat(300),
  });
  await store.outputs.save({
    ...call,
    callId: `b-${word}`,
    args: {},
    result: `${word} result `.repeat(300),
  });
  await store.events.append(session, [{ type: 'note', payload: { said: `${word} event` } }]);
  await store.sessions.update(session, (before) => ({
    ...before,
    agentId: 'adalyn',
    document: { ...before.document, long_term_summary: `${word} summary` },
  }));
  await store.items.save({
    agentId: 'adalyn',
    id: `item-${word}`,
    kind: 'note',
    content: `${word} item`,
    sessionId: session,
  });
  await store.facts.remember({
    agentId: 'adalyn',
    text: `${word} is a fact`,
    source: 'user',
    sessionId: session,
  });
}

async function checkpointed({ cwd, url }: Place, session: string): Promise<void> {
  const { exitCode } = await runOn(
    { cwd },
    'flash-save',
    '--agent',
    'adalyn',
    '--session',
    session,
    '--store',
    url,
  );
  expect(exitCode).toBe(0);
}

function purge({ cwd, url }: Place, ...words: string[]) {
  return runOn({ cwd }, 'purge', ...words, '--store', url);
}

test.each(schemes)(
  'no byte of a purged session is left, and the others are whole (%s)',
  async (scheme) => {
    const place = makePlace(scheme);
    const store = await place.open();
    await fill(store, 'session-goes', 'xenolith');
    await fill(store, 'session-stays', 'quartzite');
    await store.close();
    await checkpointed(place, 'session-goes');
    const later = await place.open();
    await later.items.save({
      agentId: 'adalyn',
      id: 'item-xenolith',
      kind: 'note',
      content: 'xenolith again',
      sessionId: 'session-goes',
    });
    await later.close();
    expect(bytesBelow(place.folder).includes('xenolith')).toBe(true);
    const { exitCode, stdout } = await purge(place, 'session-goes', '--yes', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'purged',
      sessions: ['session-goes'],
      records: { sessions: 1, events: 1, outputs: 2, checkpoints: 1, items: 1, facts: 1 },
      traceless: true,
    });
    const bytes = bytesBelow(place.folder);
    expect([bytes.includes('xenolith'), bytes.includes('session-goes')]).toEqual([false, false]);
    const after = await place.open();
    expect((await after.outputs.search({ text: 'xenolith' })).hits).toEqual([]);
    expect((await after.outputs.search({ text: 'quartzite' })).hits).toHaveLength(2);
    expect(
      (await after.facts.recall({ agentId: 'adalyn', query: 'quartzite' })).map(({ text }) => text),
    ).toEqual(['quartzite is a fact']);
    expect((await after.sessions.get('session-stays'))?.document.long_term_summary).toBe(
      'quartzite summary',
    );
    await after.close();
    const checked = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url);
    expect(checked.exitCode).toBe(0);
  },
);

test('after random writes and deletes a purge leaves nothing of what was said', async () => {
  const step = fc.record({
    session: fc.integer({ min: 0, max: 4 }),
    what: fc.constantFrom('output', 'item', 'fact', 'event', 'clear', 'delete', 'checkpoint'),
    size: fc.integer({ min: 1, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const place = makePlace('sqlite');
      const store = await place.open();
      for (const [at, { session, what, size }] of steps.entries()) {
        const sessionId = `mark-${String(session)}`;
        const said = `mark-${String(session)} word${String(at)} `.repeat(size);
        if (what === 'output')
          await store.outputs.save({ sessionId, toolName: 't', args: { at }, result: said });
        const id = `item-${sessionId}-${String(size % 3)}`;
        if (what === 'item')
          await store.items.save({ agentId: 'a', id, kind: 'n', content: said, sessionId });
        if (what === 'delete') await store.items.delete('a', id);
        if (what === 'checkpoint') {
          const state = await store.checkpoints.read({ agentId: 'a' });
          await store.checkpoints.commit({ state, trigger: 'manual' });
        }
        if (what === 'fact')
          await store.facts.remember({ text: said.slice(0, 200), source: 'user', sessionId });
        if (what === 'event') await store.events.append(sessionId, [{ type: 'n', payload: said }]);
        if (what === 'clear') await store.outputs.clear(sessionId);
      }
      await fill(store, 'mark-0', 'mark-0');
      await store.close();
      const { exitCode } = await purge(place, 'mark-0', '--yes');
      expect([exitCode, bytesBelow(place.folder).includes('mark-0')]).toEqual([0, false]);
    }),
    { numRuns: 8 * share },
  );
}, 120_000);

test.each(schemes)(
  'a whole tenant goes with its keys and its name; others stay (%s)',
  async (scheme) => {
    const place = makePlace(scheme);
    for (const tenant of ['acme', 'other']) {
      const store = await place.open(tenant);
      await fill(store, `of-${tenant}`, `word-${tenant}`);
      await store.close();
      await runOn({ cwd: place.cwd }, 'keys', 'create', '--tenant', tenant, '--store', place.url);
    }
    const { exitCode, stdout } = await purge(place, '--tenant', 'acme', '--all', '--yes');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('Destroyed, in the search index'),
    ]);
    expect(bytesBelow(place.folder).includes('acme')).toBe(false);
    const other = await place.open('other');
    expect((await other.outputs.search({ text: 'word-other' })).hits).toHaveLength(2);
    await other.close();
    const keys = await runOn({ cwd: place.cwd }, 'keys', 'list', '--json', '--store', place.url);
    expect((JSON.parse(keys.stdout) as { keys: unknown[] }).keys).toHaveLength(1);
  },
);

test('what nobody touched for so long goes; what is pinned stays unless --pinned', async () => {
  const place = makePlace('sqlite');
  const day = 86_400_000;
  const old = await place.open('default', Date.now() - 100 * day);
  await fill(old, 'old-one', 'ancient');
  await old.outputs.save({
    sessionId: 'without-record',
    toolName: 't',
    args: {},
    result: 'ancient output',
  });
  await old.items.save({
    agentId: 'adalyn',
    id: 'kept',
    kind: 'note',
    content: 'ancient and pinned',
    pinned: true,
  });
  await old.close();
  const fresh = await place.open();
  await fill(fresh, 'new-one', 'recent');
  await fresh.close();
  const dry = await purge(place, '--older-than', '90d', '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({
    outcome: 'planned',
    sessions: ['old-one', 'without-record'],
    records: { outputs: 3, items: 1, facts: 1, events: 1, sessions: 1 },
  });
  expect((await purge(place, '--older-than', '90d', '--yes')).exitCode).toBe(0);
  const after = await place.open();
  expect((await after.sessions.list()).entries.map(({ id }) => id)).toEqual(['new-one']);
  expect((await after.items.list('adalyn')).entries.map(({ id }) => id).sort()).toEqual([
    'item-recent',
    'kept',
  ]);
  await after.close();
  expect((await purge(place, '--older-than', '90d', '--pinned', '--yes')).exitCode).toBe(0);
  expect(bytesBelow(place.folder).includes('ancient')).toBe(false);
});

test('a dry run and a refusal destroy nothing; without an answer nothing is destroyed', async () => {
  const place = makePlace('sqlite');
  const store = await place.open();
  await fill(store, 'one', 'word');
  await store.close();
  const dry = await purge(place, 'one', '--dry-run');
  expect([dry.exitCode, dry.stderr]).toEqual([0, expect.stringContaining('Nothing was destroyed')]);
  expect(dry.stdout).toMatch(/^outputs +2$/m);
  const nobody = await purge(place, 'one');
  expect([nobody.exitCode, nobody.stderr]).toEqual([5, expect.stringContaining('--yes')]);
  const no = await runOn({ cwd: place.cwd, answer: false }, 'purge', 'one', '--store', place.url);
  expect(no.exitCode).toBe(5);
  const noInput = await runOn(
    { cwd: place.cwd, answer: true },
    'purge',
    'one',
    '--no-input',
    '--store',
    place.url,
  );
  expect(noInput.exitCode).toBe(5);
  const again = await place.open();
  expect((await again.outputs.tally()).outputs).toBe(2);
  await again.close();
  const yes = await runOn({ cwd: place.cwd, answer: true }, 'purge', 'one', '--store', place.url);
  expect(yes.exitCode).toBe(0);
});

test('what was told to watchers and kept as an answer loses the session, and the numbers stay without gaps', async () => {
  const place = makePlace('sqlite');
  const path = join(place.folder, 'store');
  const tenants = await openTenants(await backendOf({ scheme: 'sqlite', path, text: place.url }));
  await fill(await tenants.store('default'), 'session-goes', 'xenolith');
  const request = { keyId: 'k', name: 'n', requestHash: 'h' };
  const answer = { status: 200, headers: {}, body: 'xenolith' };
  const held = await tenants.hold('default');
  await held.commit([tenants.idempotency('default').answerPut(request, answer, 0)]);
  const { newest } = await tenants.liveLog('default').bounds();
  await tenants.close();
  expect(newest).toBeGreaterThan(0);
  expect((await purge(place, 'session-goes', '--yes')).exitCode).toBe(0);
  const bytes = bytesBelow(place.folder);
  expect([bytes.includes('xenolith'), bytes.includes('session-goes')]).toEqual([false, false]);
  const after = await openTenants(await backendOf({ scheme: 'sqlite', path, text: place.url }));
  const events = await after.liveLog('default').after(0, 1000);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
  expect(events.length).toBe(newest);
  await after.close();
});

test('the sessions that were forked from a purged one are told: they hold copies of what was said', async () => {
  const place = makePlace('fs');
  const store = await place.open();
  const window = await openSessionWindow({ store, sessionId: 'first' });
  await window.insert({ role: 'user', content: [{ type: 'text', text: 'hello' }] });
  await (await window.fork('second')).close();
  await window.close();
  await store.close();
  const other = await purge(place, 'second', '--dry-run', '--json');
  expect(JSON.parse(other.stdout)).toMatchObject({ sessions: ['second'], forks: [] });
  const { stdout } = await purge(place, 'first', '--yes', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ sessions: ['first'], forks: ['second'] });
});

test('a fact that another session confirms stays, without the purged one', async () => {
  const place = makePlace('sqlite');
  const store = await place.open();
  for (const sessionId of ['goes', 'stays']) {
    await store.sessions.update(sessionId, (session) => session);
    await store.facts.remember({ text: 'Deploys run on Fridays', source: 'user', sessionId });
  }
  await store.close();
  await purge(place, 'goes', '--yes');
  const after = await place.open();
  const [fact] = await after.facts.recall({ query: 'fridays' });
  expect(fact?.origins.map(({ sessionId }) => sessionId)).toEqual(['stays']);
  await after.close();
});

test('a store that somebody reads is told to hold bytes still, and --residue takes them later', async () => {
  const place = makePlace('sqlite');
  const store = await place.open();
  await fill(store, 'one', 'xenolith');
  await store.close();
  const other = await place.open();
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const reader = new DatabaseSync(join(place.folder, 'store'));
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM outputs').all();
  const { exitCode, stderr } = await purge(place, 'one', '--yes');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('ctx purge --residue')]);
  reader.exec('COMMIT');
  reader.close();
  await other.close();
  expect((await purge(place, '--residue')).exitCode).toBe(0);
  expect(bytesBelow(place.folder).includes('xenolith')).toBe(false);
});

test('quarantined records and backups go, too', async () => {
  const place = makePlace('sqlite');
  const store = await place.open();
  await fill(store, 'one', 'xenolith');
  await store.close();
  const quarantine = `${join(place.folder, 'store')}.quarantine`;
  mkdirSync(quarantine);
  writeFileSync(join(quarantine, 'items-1.json'), 'xenolith');
  writeFileSync(`${join(place.folder, 'store')}.backup-2026-01-01T00-00-00.000Z`, 'xenolith');
  const { stdout } = await purge(place, 'one', '--yes');
  expect(stdout).toContain('1 quarantined file went, too.');
  expect(bytesBelow(place.folder).includes('xenolith')).toBe(false);
});

test('a purge that is cut off leaves the rest whole, and goes on when it is run again', async () => {
  const place = makePlace('sqlite');
  const store = await place.open();
  // Three batches of 500 each: any of them may be the first.
  for (let at = 0; at < 1500; at += 100) {
    const events = Array.from({ length: 100 }, (_, more) => ({
      type: 'n',
      payload: `xenolith ${String(at + more)}`,
    }));
    await store.events.append('long', events);
  }
  await store.close();
  const stop = new AbortController();
  stop.abort();
  const cut = await runOn(
    { cwd: place.cwd, signal: stop.signal },
    'purge',
    'long',
    '--yes',
    '--store',
    place.url,
  );
  expect([cut.exitCode, cut.stderr]).toEqual([
    130,
    expect.stringMatching(/after 500 of 1,500; `ctx purge --resume` goes on/),
  ]);
  const seen = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url);
  expect([seen.exitCode, seen.stdout, seen.stderr]).toEqual([
    1,
    expect.stringContaining('unfinished-purge'),
    expect.stringContaining('ctx purge --resume'),
  ]);
  const going = await purge(place, '--status', '--json');
  expect(JSON.parse(going.stdout)).toMatchObject({
    outcome: 'status',
    purges: [
      {
        ...{ stage: 'working', what: 'session long', records: 1500, batches: 3 },
        ...{ recordsLeft: 1000, batchesLeft: 2, workers: 0 },
      },
    ],
  });
  const table = await purge(place, '--status');
  expect(table.stdout).toMatch(/session long .* working +1,500 +1,000 +0$/m);
  const { exitCode, stdout } = await purge(place, '--resume', '--json');
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    0,
    { records: { events: 1000 }, batches: 2 },
  ]);
  const ended = await purge(place, '--status');
  expect([ended.stdout.includes('long'), ended.stdout]).toEqual([
    false,
    expect.stringMatching(/ ended .* 1,500 +0 +0$/m),
  ]);
  expect(bytesBelow(place.folder).includes('xenolith')).toBe(false);
  const checked = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url);
  expect(checked.exitCode).toBe(0);
  const again = await purge(place, '--resume');
  expect([again.exitCode, again.stderr]).toEqual([
    0,
    expect.stringContaining('No purge was cut off'),
  ]);
});

test('a purge that was cut off at its very end is ended by --resume, whatever is gone by then', async () => {
  for (const scope of [{ sessions: ['gone'] }, { agent: 'gone' }, { all: true } as const]) {
    const place = makePlace('fs');
    const store = await place.open();
    await store.outputs.save({ sessionId: 's', toolName: 't', args: {}, result: 'stays' });
    await store.close();
    const path = join(place.folder, 'store');
    const backend = await backendOf({ scheme: 'fs', path, text: place.url });
    await backend.open(storeCollections);
    // As stores of before have it: without a stage.
    const mark = { type: 'put', collection: 'purges', key: ['default', 'old'] } as const;
    await backend.write([{ ...mark, columns: { started_at: 1 }, body: JSON.stringify(scope) }]);
    await backend.close();
    expect((await purge(place, '--resume')).exitCode).toBe(0);
    const checked = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url);
    expect(checked.exitCode).toBe(0);
  }
});

test('what adapters keep of a session goes with it', async () => {
  const place = makePlace('sqlite');
  await (await place.open()).close();
  const backend = await backendOf({
    scheme: 'sqlite',
    path: join(place.folder, 'store'),
    text: place.url,
  });
  await backend.open(storeCollections);
  for (const { name: collection, key, columns } of storeCollections) {
    if (key[1] !== 'session_id' && key[1] !== 'thread_id') continue;
    const parts = key.map((_, at) => ['default', 'xenolith'][at] ?? '000000000000');
    const filled = Object.fromEntries(
      Object.entries(columns).map(([name, { type }]) => [name, type === 'text' ? 'xenolith' : 1]),
    );
    await backend.write([{ type: 'put', collection, key: parts, columns: filled, body: '{}' }]);
  }
  await backend.close();
  const { exitCode, stdout } = await purge(place, 'xenolith', '--yes', '--json');
  const records: unknown = JSON.parse(stdout);
  expect([exitCode, records]).toMatchObject([
    0,
    {
      records: {
        ...{ chat_messages: 1, agent_history_items: 1, hidden_exchanges: 1 },
        ...{ hook_calls: 1, graph_checkpoints: 1 },
      },
    },
  ]);
  expect(bytesBelow(place.folder).includes('xenolith')).toBe(false);
});

test('an agent goes with its sessions, items, facts and checkpoints; another agent stays', async () => {
  const place = makePlace('sqlite');
  const store = await place.open();
  await fill(store, 'session-of-adalyn', 'xenolith');
  await store.items.save({
    agentId: 'adalyn',
    kind: 'note',
    content: 'xenolith without a session',
  });
  await store.sessions.update('session-of-bob', (before) => ({ ...before, agentId: 'bob' }));
  await store.items.save({ agentId: 'bob', id: 'kept', kind: 'note', content: 'quartzite' });
  await store.facts.remember({
    agentId: 'bob',
    text: 'quartzite is a fact',
    source: 'user',
    sessionId: 'session-of-adalyn',
  });
  await store.facts.remember({
    agentId: 'bob',
    text: 'quartzite is a fact',
    source: 'user',
    sessionId: 'session-of-bob',
  });
  await store.close();
  await checkpointed(place, 'session-of-adalyn');
  expect((await purge(place, '--agent', 'adalyn', '--yes')).exitCode).toBe(0);
  const bytes = bytesBelow(place.folder);
  expect([bytes.includes('xenolith'), bytes.includes('adalyn')]).toEqual([false, false]);
  const after = await place.open();
  expect((await after.items.list('bob')).entries.map(({ id }) => id)).toEqual(['kept']);
  const [fact] = await after.facts.recall({ agentId: 'bob', query: 'quartzite' });
  expect(fact?.origins.map(({ sessionId }) => sessionId)).toEqual(['session-of-bob']);
  await after.close();
  expect((await runOn({ cwd: place.cwd }, 'verify', '--store', place.url)).exitCode).toBe(0);
});

test.each([
  [[], 'say what is to be destroyed'],
  [['one', '--all'], 'say what is to be destroyed'],
  [['--older-than', 'soon'], 'must be an age'],
])('refuses %j', async (words, complaint) => {
  const place = makePlace('fs');
  await (await place.open()).close();
  const { exitCode, stderr } = await purge(place, ...words);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(complaint)]);
});

test('a session that left nothing is not found', async () => {
  const place = makePlace('fs');
  await (await place.open()).close();
  expect((await purge(place, 'nobody', '--yes')).exitCode).toBe(3);
});

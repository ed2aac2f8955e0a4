import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compactSession, undoSessionCompaction } from '@ctx/compactor';
import { type ContextStore, type HistoryEntry, openStore, type SessionDocument } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { openSessionWindow } from '@ctx/truncation';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bytesBelow } from './test-support/bytes-below.ts';
import { makeTestHome, type TestHome } from './test-support/run-bin.ts';
import { makeFolder } from './test-support/sample-transcripts.ts';

// Real processes are started.
vi.setConfig({ testTimeout: 240_000 });

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(
  new URL(`./test-support/session-child.${extension}`, import.meta.url),
);

/** At how many places of a compaction the writer is killed. `CTX_KILLS=100` for the long run. */
const kills = Number(process.env['CTX_KILLS'] ?? '6');

const kinds: readonly (readonly [string, (path: string) => StoreBackend])[] = [
  ['fs', (path) => fsBackend({ path })],
  ['sqlite', (path) => sqliteBackend({ path })],
];

function home(): TestHome {
  const made = makeTestHome(program);
  onTestFinished(made.remove);
  return made;
}

function chat(count: number): HistoryEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    timestamp: at,
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${String(at)}`,
  }));
}

async function documentIn(store: ContextStore): Promise<SessionDocument> {
  const session = await store.sessions.get('s');
  if (session === undefined) throw new Error('the session is gone');
  return session.document;
}

/** Every message that the session or one of its compactions holds. */
async function allMessages(store: ContextStore): Promise<string[]> {
  const messages = (await documentIn(store)).recent_history.map(({ content }) => content);
  for (const { sequence } of (await store.compactions.list('s')).entries) {
    const compaction = await store.compactions.get('s', sequence);
    for (const { entry } of compaction?.summarised ?? []) messages.push(entry.content);
  }
  return messages;
}

/** Folders that a kill would have left, one for each change of the disk. */
async function leftByKills(place: TestHome, mode: string, kind: string): Promise<string[]> {
  const target = join(makeFolder(), 'copies');
  mkdirSync(target);
  const path = join(place.folder, 'data', 'store');
  const { exitCode, stderr } = await place.run([mode, kind, path, target]);
  expect([exitCode, stderr]).toEqual([0, '']);
  return readdirSync(target).map((number) => join(target, number, basename(path)));
}

/** The conversation of a window: the view, and how many compactions the log knows. */
async function windowIn(store: ContextStore): Promise<{ shown: string; compactions: number }> {
  const window = await openSessionWindow({ store, sessionId: 's' });
  const shown = JSON.stringify(window.view());
  let compactions = 0;
  for await (const { type } of store.events.read('s')) {
    if (type === 'window-compacted') compactions += 1;
  }
  await window.close();
  return { shown, compactions };
}

describe.each(kinds)('a session on %s', (kind, open) => {
  it('loses nothing of four processes that update it 100 times each while a fifth compacts it', async () => {
    const { run, folder } = home();
    const path = join(folder, 'store');
    const labels = ['a', 'b', 'c', 'd'];
    const writers = labels.map((label) => run(['append', kind, path, '100', label]));
    await (await openStore(open(path))).sessions.update('s', (session) => session);
    const compacting = run(['compact', kind, path, '30']);
    const runs = await Promise.all([...writers, compacting]);
    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(runs.map(() => [0, '']));
    const store = await openStore(open(path));
    await compactSession(store, 's');
    const messages = await allMessages(store);
    const expected = labels.flatMap((label) =>
      Array.from({ length: 100 }, (_, at) => `${label}-${String(at)}`),
    );
    expect(messages.toSorted()).toEqual(expected.toSorted());
    expect((await documentIn(store)).facts).toHaveLength(40);
    expect((await store.compactions.list('s')).entries.length).toBeGreaterThan(0);
    await store.close();
  });

  it('is old or new, never between, wherever its compaction is killed', async () => {
    const outcomes = new Set<string>();
    for (let number = 1; number <= kills; number += 1) {
      const { run, folder } = home();
      const path = join(folder, 'store');
      const before = await openStore(open(path));
      await before.sessions.update('s', (session) => ({
        ...session,
        document: { ...session.document, recent_history: chat(51), facts: ['a', 'A'] },
      }));
      await before.close();
      const place = kind === 'fs' ? 1 + (number - 1) * 5 : 1 + (number % 2);
      await run(['die', kind, path, String(place)]);
      const store = await openStore(open(path));
      const { recent_history: history, facts } = await documentIn(store);
      const records = (await store.compactions.list('s')).entries.length;
      const state = { entries: history.length, facts: facts.length, records };
      outcomes.add(JSON.stringify(state));
      if (records > 0) await undoSessionCompaction(store, 's');
      expect((await documentIn(store)).recent_history).toEqual(chat(51));
      await store.close();
    }
    const [old, now] = [
      { entries: 51, facts: 2, records: 0 },
      { entries: 30, facts: 1, records: 1 },
    ];
    for (const outcome of outcomes) expect([old, now]).toContainEqual(JSON.parse(outcome));
    // On files the places are the same in every run: early ones leave the old state, late ones the new.
    if (kind === 'fs') expect(outcomes.size).toBe(2);
  });

  it('is old or new at whatever change of the disk its compaction is cut off', async () => {
    const place = home();
    mkdirSync(join(place.folder, 'data'));
    const before = await openStore(open(join(place.folder, 'data', 'store')));
    const big = { timestamp: 51, role: 'tool', content: 'long line\n'.repeat(60_000) };
    await before.sessions.update('s', (session) => ({
      ...session,
      document: { ...session.document, recent_history: [...chat(51), big], facts: ['a', 'A'] },
    }));
    await before.close();
    const outcomes = new Set<string>();
    for (const path of await leftByKills(place, 'watch', kind)) {
      const store = await openStore(open(path));
      const { recent_history: history, facts, ctx } = await documentIn(store);
      const records = (await store.compactions.list('s')).entries.length;
      const isStub = (history.at(-1)?.content.length ?? 0) < 5000;
      outcomes.add(
        JSON.stringify([history.length, facts.length, isStub, ctx !== undefined, records]),
      );
      if (records > 0) await undoSessionCompaction(store, 's');
      expect((await documentIn(store)).recent_history).toEqual([...chat(51), big]);
      await store.close();
    }
    const [old, now] = [
      [52, 2, false, false, 0],
      [30, 1, true, true, 1],
    ].map((state) => JSON.stringify(state));
    expect([...outcomes].toSorted()).toEqual([old, now].toSorted());
  });

  it('shows the old or the new window at whatever change of the disk its compaction is cut off', async () => {
    const place = home();
    mkdirSync(join(place.folder, 'data'));
    const path = join(place.folder, 'data', 'store');
    const before = await openStore(open(path));
    const window = await openSessionWindow({ store: before, sessionId: 's' });
    for (const { role, content } of chat(40)) {
      const text = `${content} ${'and what it is about '.repeat(20)}`;
      await window.insert({
        role: role === 'user' ? 'user' : 'assistant',
        content: [{ type: 'text', text }],
      });
    }
    await window.close();
    const { shown: old } = await windowIn(before);
    await before.close();
    const paths = await leftByKills(place, 'watch-window', kind);
    const done = await openStore(open(path));
    const { shown: now } = await windowIn(done);
    await done.close();
    expect(now).toContain('What happened.');
    const outcomes = new Set<string>();
    for (const left of paths) {
      const store = await openStore(open(left));
      const { shown, compactions } = await windowIn(store);
      expect([old, now]).toContain(shown);
      expect(compactions).toBe(shown === now ? 1 : 0);
      outcomes.add(shown);
      await store.close();
    }
    expect(outcomes.size).toBe(2);
  });

  it('holds no byte of a fact that was forgotten, once it is closed', async () => {
    const path = join(makeFolder(), 'store');
    const fact = 'Emma lives at 12 Harbour Street';
    const backend = kind === 'fs' ? open(path) : sqliteBackend({ path, eraseOnClose: true });
    const store = await openStore(backend);
    const memory = store.sessions.memory('s');
    await memory.append(chat(60));
    await memory.append([{ role: 'user', content: `Remember: ${fact}.` }]);
    await memory.addFact({ text: fact, source: 'user' });
    await memory.addFact({ text: `${fact.toUpperCase()}!`, pinned: true });
    await memory.promoteFact(fact);
    await compactSession(store, 's');
    await memory.append(chat(60));
    await compactSession(store, 's');
    expect(await store.facts.recall({ query: 'Where does Emma live?' })).toHaveLength(1);
    await store.facts.forget({ text: fact });
    await store.close();
    const bytes = bytesBelow(path).toString('latin1').toLowerCase();
    expect(bytes).toContain('[forgotten]');
    for (const trace of ['harbour', 'street', 'emma live']) expect(bytes).not.toContain(trace);
  });
});

describe('a session on files', () => {
  it('opens from the copy before where its file is damaged, and the damage is reported', async () => {
    const folder = makeFolder();
    const path = join(folder, 'store');
    const first = await openStore(fsBackend({ path }));
    const memory = first.sessions.memory('s');
    await memory.addFact({ text: 'first' });
    await memory.addFact({ text: 'second' });
    await first.close();
    writeFileSync(join(path, 'default/sessions/s.json'), '{"session_id": "s", "fac');
    const reports: unknown[] = [];
    const store = await openStore(
      fsBackend({ path, onQuarantine: (report) => reports.push(report) }),
    );
    expect((await documentIn(store)).facts).toEqual(['first']);
    expect(reports).toMatchObject([{ path: 'default/sessions/s.json', restored: true }]);
    const [report] = reports as { movedTo: string }[];
    expect(readFileSync(join(path, report?.movedTo ?? ''), 'utf8')).toContain('"fac');
    await store.sessions.memory('s').addFact({ text: 'third' });
    expect((await documentIn(store)).facts).toEqual(['first', 'third']);
    await store.close();
  });
});

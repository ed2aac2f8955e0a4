import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compactSession, undoSessionCompaction } from '@ctx/compactor';
import {
  type ContextStore,
  type HistoryEntry,
  openStore,
  type SessionDocument,
  sessionMemory,
  type StoreBackend,
} from '@ctx/core';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeTestHome, type TestHome } from './test-support/run-bin.ts';
import { makeFolder } from './test-support/sample-transcripts.ts';
import { bytesBelow } from './test-support/bytes-below.ts';

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

  it('holds no byte of a fact that was forgotten, once it is closed', async () => {
    const path = join(makeFolder(), 'store');
    const fact = 'Emma lives at 12 Harbour Street';
    const backend = kind === 'fs' ? open(path) : sqliteBackend({ path, eraseOnClose: true });
    const store = await openStore(backend);
    const memory = sessionMemory(store, 's');
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
    const memory = sessionMemory(first, 's');
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
    await sessionMemory(store, 's').addFact({ text: 'third' });
    expect((await documentIn(store)).facts).toEqual(['first', 'third']);
    await store.close();
  });
});

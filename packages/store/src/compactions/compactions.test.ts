import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { openStore } from '../open-store.ts';
import type { CompactionDraft } from './compactions.ts';

const draft: CompactionDraft = {
  at: 5,
  trigger: 'entries',
  strategy: 'lines',
  durationMs: 1,
  tokensBefore: 100,
  tokensAfter: 40,
  summarised: [{ index: 0, entry: { timestamp: 1, role: 'user', content: 'x' } }],
  offloaded: [],
  factsDropped: [],
  tasksPruned: [],
  summary: 's',
  before: { long_term_summary: '' },
  after: { long_term_summary: 's' },
  kept: { entries: 0, shape: '' },
};

async function withSession() {
  const backend = memoryBackend();
  const store = await openStore(backend);
  const session = await store.sessions.update('s', (one) => one);
  return { backend, store, session };
}

describe('records of compactions', () => {
  it('are written with the session or not at all', async () => {
    const { store, session } = await withSession();
    const document = { ...session.document, long_term_summary: 's' };
    const { sequence } = await store.compactions.commit({ ...session, document }, draft);
    expect(sequence).toBe(0);
    const stale = store.compactions.commit({ ...session, document }, draft);
    await expect(stale).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect((await store.compactions.list('s')).entries).toHaveLength(1);
    expect((await store.sessions.get('s'))?.document.long_term_summary).toBe('s');
  });

  it('come back whole, and newest first in lists', async () => {
    const { store, session } = await withSession();
    const first = await store.compactions.commit(session, draft);
    const second = await store.compactions.commit({ ...session, version: 2 }, { ...draft, at: 9 });
    expect(await store.compactions.get('s', 0)).toEqual(first);
    expect(await store.compactions.newest('s')).toEqual(second);
    const { entries } = await store.compactions.list('s');
    expect(entries.map(({ sequence, state }) => [sequence, state])).toEqual([
      [1, 'applied'],
      [0, 'applied'],
    ]);
    expect(await store.compactions.get('s', 7)).toBeUndefined();
  });

  it('hold no content once they are undone, and are no longer the newest', async () => {
    const { backend, store, session } = await withSession();
    const done = await store.compactions.commit(session, { ...draft, summary: 'telling' });
    const after = await store.sessions.get('s');
    if (after === undefined) throw new Error('the session is gone');
    await store.compactions.commitUndo(after, done);
    expect(await store.compactions.newest('s')).toBeUndefined();
    expect(await store.compactions.get('s', 0)).toMatchObject({ state: 'undone', summarised: [] });
    for await (const { body } of backend.scan({
      collection: 'compactions',
      index: 'key',
      equal: ['default'],
    })) {
      expect(body).not.toContain('telling');
    }
  });

  const messages = { from: 1, to: 40, tokens: 90, pointer: 'ctx://messages/1-40', event: 0 };
  const ofWindow = { ...draft, trigger: 'window-full', summarised: [], messages } as const;
  const events = [{ type: 'window-compacted', payload: {} }];

  it('of a window are written beside those of the document, and are none of them', async () => {
    const { store, session } = await withSession();
    await store.compactions.commit(session, draft);
    const made = await store.compactions.commitEvents(
      { sessionId: 's', first: 0, events },
      ofWindow,
    );
    expect(made.messages).toEqual(messages);
    expect(await store.compactions.get('s', made.sequence)).toEqual(made);
    expect(await store.compactions.newest('s')).toMatchObject({ sequence: 0 });
    expect(await store.compactions.newest('s', 'window')).toMatchObject({ sequence: 1 });
    expect((await store.sessions.get('s'))?.version).toBe(2);
    expect((await store.events.tally('s')).events).toBe(1);
  });

  it('of a window take the next number where another compaction took theirs meanwhile', async () => {
    const { store, session } = await withSession();
    const [other, one] = await Promise.all([
      store.compactions.commit(session, draft),
      store.compactions.commitEvents({ sessionId: 's', first: 0, events }, ofWindow),
    ]);
    expect([other.sequence, one.sequence]).toEqual([0, 1]);
  });

  it('of a window are not written where somebody continued the log, and nor are their events', async () => {
    const { store } = await withSession();
    await store.events.append('s', events);
    const late = store.compactions.commitEvents({ sessionId: 's', first: 0, events }, ofWindow);
    await expect(late).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect((await store.compactions.list('s')).entries).toEqual([]);
    expect((await store.events.tally('s')).events).toBe(1);
  });

  it('go with their session, however many there are, and no other goes', async () => {
    const { store, session } = await withSession();
    const other = await store.sessions.update('s2', (one) => one);
    await store.compactions.commit(other, draft);
    for (let version = 1; version <= 201; version += 1) {
      await store.compactions.commit({ ...session, version }, draft);
    }
    await store.sessions.delete('s');
    expect((await store.compactions.list('s')).entries).toEqual([]);
    expect((await store.compactions.list('s2')).entries).toHaveLength(1);
    expect(await store.sessions.get('s')).toBeUndefined();
    expect(await store.compactions.clear('s2')).toBe(1);
  });
});

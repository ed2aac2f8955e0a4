import { describe, expect, it } from 'vitest';
import { createMemoryPlace, memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend } from '../backend/store-backend.ts';
import { migrateStore } from '../migrate-store.ts';
import { type ContextStore, openStore } from '../open-store.ts';

const open = () => openStore(memoryBackend(), { clock: () => 1_000_000 });

/** A backend without full text. */
function searchless(): StoreBackend {
  const backend = memoryBackend();
  return { ...backend, supports: { ...backend.supports, search: false } };
}

async function remembering(store: ContextStore, texts: readonly string[]): Promise<void> {
  for (const text of texts) await store.facts.remember({ text, source: 'user' });
}

const known = [
  'The deployment runs on Fridays only',
  'Database password lives in the vault',
  'The API listens on port 8080',
  'Emma reviews every change of the parser',
];

describe('a reranker of facts', () => {
  it.each([
    ['with full text', memoryBackend],
    ['without full text', searchless],
  ])(
    'is asked where no word matches, and finds what it alone knows, %s',
    async (_name, backend) => {
      const store = await openStore(backend(), { clock: () => 1_000_000 });
      await remembering(store, ['The user owns an automobile', 'Bananas are yellow']);
      const asked: number[] = [];
      const [vehicle] = (await store.facts.list()).entries.filter(({ text }) =>
        text.includes('auto'),
      );
      const recall = (query: string) =>
        store.facts.recall({
          query,
          reranker: ({ ids }) => {
            asked.push(ids.length);
            return new Map([[vehicle?.id ?? '', 1]]);
          },
        });
      expect((await recall('which vehicle')).map(({ text }) => text)).toEqual([vehicle?.text]);
      expect((await recall('?')).map(({ text }) => text)).toEqual([vehicle?.text]);
      expect((await recall('yellow vehicle')).map(({ text }) => text)).toContain(
        'Bananas are yellow',
      );
      expect(asked).toEqual([2, 2, 2]);
    },
  );

  it('gives nothing where it takes no fact for an answer', async () => {
    const store = await open();
    await remembering(store, known);
    const reranker = () => new Map<string, number>();
    expect(await store.facts.recall({ query: 'quantum', reranker })).toEqual([]);
  });
});

describe('facts of an agent', () => {
  it('are kept once for all ways of writing them, with their origins', async () => {
    const store = await open();
    await store.facts.remember({ text: 'Port is 80', source: 'bash', sessionId: 'one' });
    const { fact, isNew } = await store.facts.remember({
      text: 'port is 80!',
      source: 'user',
      sessionId: 'two',
    });
    expect(isNew).toBe(false);
    expect(fact).toMatchObject({ text: 'Port is 80', source: 'bash', trust: 'trusted' });
    expect(fact.origins.map(({ sessionId }) => sessionId)).toEqual(['two', 'one']);
    expect((await store.facts.list()).entries).toEqual([fact]);
  });

  it('belong to their agent alone', async () => {
    const store = await open();
    await store.facts.remember({ text: 'belongs to x', agentId: 'x' });
    expect(await store.facts.recall({ query: 'belongs' })).toEqual([]);
    expect(await store.facts.recall({ query: 'belongs', agentId: 'x' })).toHaveLength(1);
  });

  it.each([
    ['with full text', open],
    ['without', () => openStore(searchless())],
  ])(
    'are recalled by words, best first, and not at all where none is known, %s',
    async (_, make) => {
      const store = await make();
      await remembering(store, known);
      const [first] = await store.facts.recall({ query: 'On which port does the API listen?' });
      expect(first?.text).toBe('The API listens on port 8080');
      expect(await store.facts.recall({ query: 'zebra' })).toEqual([]);
      expect(await store.facts.recall({ query: '…' })).toEqual([]);
    },
  );

  it('are recalled within a number and a budget', async () => {
    const store = await open();
    await remembering(store, known);
    const query = 'deployment database API parser';
    expect(await store.facts.recall({ query, limit: 2 })).toHaveLength(2);
    expect(await store.facts.recall({ query, maxTokens: 1 })).toEqual([]);
  });

  it('take the place of others, which are then not found', async () => {
    const store = await open();
    await store.facts.remember({ text: 'The API listens on port 80' });
    const { fact } = await store.facts.remember({
      text: 'The API listens on port 8080',
      supersedes: 'the api listens on port 80',
    });
    expect(fact.supersedes).toEqual(['The API listens on port 80']);
    expect((await store.facts.list()).entries).toHaveLength(1);
  });
});

it('facts and compactions move with a migration and are found there', async () => {
  const [from, to] = [createMemoryPlace(), createMemoryPlace()];
  const source = await openStore(memoryBackend({ place: from }));
  await remembering(source, known);
  const session = await source.sessions.update('s', (one) => one);
  await source.compactions.commit(session, {
    at: 1,
    trigger: 'manual',
    strategy: 'none',
    durationMs: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    summarised: [],
    offloaded: [],
    factsDropped: [],
    tasksPruned: [],
    summary: '',
    before: {},
    after: {},
    kept: { entries: 0, shape: '' },
  });
  await source.close();
  const { differences } = await migrateStore(
    memoryBackend({ place: from }),
    memoryBackend({ place: to }),
    { verify: true },
  );
  expect(differences).toEqual([]);
  const target = await openStore(memoryBackend({ place: to }));
  expect(await target.facts.recall({ query: 'API port' })).toHaveLength(1);
  expect((await target.compactions.list('s')).entries).toHaveLength(1);
});

describe('forget', () => {
  const text = 'Emma lives at 12 Harbour Street';

  it('leaves nothing of the fact in facts, sessions and compactions', async () => {
    const backend = memoryBackend();
    const store = await openStore(backend);
    const memory = store.sessions.memory('s');
    await memory.append([{ role: 'user', content: `Note: ${text.toUpperCase()}, please` }]);
    await memory.addFact({ text, source: 'user' });
    await memory.promoteFact(text);
    await store.facts.remember({ text: 'Emma has moved', supersedes: 'nothing' });
    const receipt = await store.facts.forget({ text: `${text}.` });
    expect(receipt).toEqual({
      wasKnown: true,
      sessions: ['s'],
      compactions: 0,
      checkpoints: 0,
      remaining: [],
      notSearched: [],
    });
    const session = await store.sessions.get('s');
    expect(session?.document.recent_history[0]?.content).toBe('Note: [forgotten], please');
    for (const collection of ['facts', 'sessions', 'compactions']) {
      for await (const record of backend.scan({ collection, index: 'key', equal: ['default'] })) {
        expect(record.body.toLowerCase()).not.toContain('harbour');
      }
    }
  });

  it('takes it out of checkpoints, so that restoring one does not bring it back', async () => {
    const store = await open();
    await store.sessions.memory('s').addFact({ text, source: 'user' });
    const state = await store.checkpoints.read({ agentId: 'default', sessionId: 's' });
    const { checkpoint } = await store.checkpoints.commit({ state, trigger: 'manual' });
    expect(await store.facts.forget({ text })).toMatchObject({ sessions: ['s'], checkpoints: 1 });
    const kept = await store.checkpoints.get(checkpoint.id);
    expect(kept).toMatchObject({ id: checkpoint.id, session: { document: { facts: [] } } });
    expect(JSON.stringify(kept)).not.toContain('Harbour');
    await store.checkpoints.restore(checkpoint.id);
    expect(JSON.stringify(await store.sessions.get('s'))).not.toContain('Harbour');
  });

  it('names what was said and returned, where the text still stands, and how that is deleted', async () => {
    const store = await open();
    const quoted = 'the "port" is\n8443';
    await store.sessions.memory('s').addFact({ text: quoted });
    await store.events.append('s', [
      { type: 'message', payload: { text: `I think ${quoted.toUpperCase()}.` } },
      { type: 'message', payload: { text: 'nothing' } },
    ]);
    const saved = { sessionId: 's', toolName: 'Read', args: {}, result: [{ line: quoted }] };
    await store.outputs.save(saved);
    await store.items.save({ agentId: 'default', kind: 'CODE', content: `Note: ${quoted}` });
    const { remaining, notSearched } = await store.facts.forget({ text: quoted });
    expect(notSearched).toEqual([]);
    expect(remaining).toMatchObject([
      { collection: 'events', ownerId: 's', records: 1 },
      { collection: 'outputs', ownerId: 's', records: 1 },
      { collection: 'items', ownerId: 'default', records: 1 },
    ]);
    for (const { deleteWith } of remaining) expect(deleteWith).toMatch(/^store\./);
    await store.events.clear('s');
    await store.outputs.clear('s');
    const again = await store.facts.forget({ text: quoted });
    expect(again.remaining.map(({ collection }) => collection)).toEqual(['items']);
  });

  it('names logs and outputs of sessions that have no document, for the default agent', async () => {
    const store = await open();
    for (const sessionId of ['a', 'b', 'b\u{10FFFF}', '🙂']) {
      await store.events.append(sessionId, [{ type: 'message', payload: text }]);
    }
    const saved = { sessionId: 'c', toolName: 'Read', args: {}, result: text };
    await store.outputs.save(saved);
    const { remaining } = await store.facts.forget({ text });
    const found = remaining.map(({ collection, ownerId }) => [collection, ownerId]);
    const logs = ['a', 'b', 'b\u{10FFFF}', '🙂'].map((id) => ['events', id]);
    expect(found).toEqual(expect.arrayContaining([...logs, ['outputs', 'c']]));
    expect(found).toHaveLength(5);
    const other = await store.facts.forget({ text, agentId: 'x' });
    expect(other.remaining).toEqual([]);
  });

  it('takes it out of what other facts took the place of', async () => {
    const store = await open();
    await store.facts.remember({ text });
    await store.facts.remember({ text: 'Emma moved away', supersedes: text });
    const { wasKnown } = await store.facts.forget({ text });
    expect(wasKnown).toBe(false);
    expect((await store.facts.list()).entries[0]?.supersedes).toEqual([]);
  });

  it('changes nothing where nobody knows it, and wants a name', async () => {
    const store = await open();
    await store.sessions.memory('s').addFact({ text: 'other' });
    expect(await store.facts.forget({ text })).toMatchObject({ wasKnown: false, sessions: [] });
    expect((await store.sessions.get('s'))?.version).toBe(1);
    await expect(store.facts.forget({})).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
  });

  it('takes a short fact out of the lists only', async () => {
    const store = await open();
    const memory = store.sessions.memory('s');
    await memory.append([{ role: 'user', content: 'yes, do it' }]);
    await memory.addFact({ text: 'yes' });
    const { notSearched } = await store.facts.forget({ text: 'Yes' });
    expect(notSearched).toEqual(['events', 'outputs', 'items', 'item_contents']);
    const session = await store.sessions.get('s');
    expect(session?.document).toMatchObject({ facts: [] });
    expect(session?.document.recent_history[0]?.content).toBe('yes, do it');
  });
});

describe('vectors of facts', () => {
  it('are read of those that changed last, and facts by their ids in the order that was asked for', async () => {
    let now = 0;
    const store = await openStore(memoryBackend(), { clock: () => (now += 1000) });
    await remembering(store, ['one', 'two', 'three']);
    const { entries } = await store.facts.list();
    const [three, two] = entries;
    const vector = { model: 'm', values: 'AACAPw==' };
    await store.facts.setVectors('default', new Map([[two?.id ?? '', vector]]));
    const found: unknown[] = [];
    await store.facts.eachVector('default', 2, (one) => found.push(one));
    expect(found).toEqual([
      { id: three?.id, updatedAt: three?.updatedAt },
      { id: two?.id, updatedAt: two?.updatedAt, vector },
    ]);
    await store.facts.eachVector('other', 2, () => expect.unreachable('has no facts'));
    const ids = [two?.id ?? '', 'gone', three?.id ?? ''];
    const facts = await store.facts.getMany(ids);
    expect(facts.map((fact) => fact?.text)).toEqual(['two', undefined, 'three']);
  });
});

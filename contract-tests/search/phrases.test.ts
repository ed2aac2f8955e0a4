import { readBackTools } from '@ctx/agent-adapter';
import type { ContextStore } from '@ctx/store';
import { expect, test } from 'vitest';
import { openSearched, searchedStores } from './searched-stores.ts';

const texts = {
  phrase: 'dial tcp 10.0.0.7:5432: Connection\nrefused by the database',
  words: 'the connection was opened, then the request was refused',
  refused: `refused ${'refused again and again '.repeat(40)}`,
  connection: 'a connection to the database',
  neither: 'everything went well',
};
type Name = keyof typeof texts;

async function saveAll(store: ContextStore): Promise<(id: string) => string> {
  const names = new Map<string, string>();
  for (const [name, result] of Object.entries(texts)) {
    const output = { sessionId: 's', toolName: 'Bash', args: { command: name }, result };
    names.set((await store.outputs.save(output)).pointer.id, name);
    const item = await store.items.save({ agentId: 'ada', kind: 'NOTE', content: result });
    names.set(item.item.id, name);
  }
  return (id) => names.get(id) ?? id;
}

const cases: readonly (readonly [string, readonly (readonly [Name, string])[]])[] = [
  ['"connection refused"', [['phrase', 'all']]],
  ['“Connection Refused” database', [['phrase', 'all']]],
  [
    'connection refused',
    [
      ['phrase', 'all'],
      ['words', 'all'],
      ['refused', 'some'],
      ['connection', 'some'],
    ],
  ],
  [
    '"refused connection"',
    [
      ['phrase', 'words'],
      ['words', 'words'],
      ['refused', 'some'],
      ['connection', 'some'],
    ],
  ],
  [
    'connection zeppelin',
    [
      ['phrase', 'some'],
      ['words', 'some'],
      ['connection', 'some'],
    ],
  ],
  ['"everything went"', [['neither', 'all']]],
  ['zeppelin', []],
];

const order = ['all', 'words', 'some'];

test.each(searchedStores.flatMap((store) => cases.map((one) => [store, ...one] as const)))(
  '%s: a search for %s finds what holds all of it first and says what holds less',
  async (name, text, expected) => {
    const store = await openSearched(name);
    const nameOf = await saveAll(store);
    const outputs = await store.outputs.search({ text, lines: true });
    const items = await store.items.search('ada', { text, peek: true });
    const found = [
      outputs.hits.map(({ pointer, match }) => [nameOf(pointer.id), match]),
      items.hits.map(({ item, match }) => [nameOf(item.id), match]),
    ];
    for (const hits of found) {
      expect(hits.toSorted()).toEqual(expected.toSorted());
      const ranks = hits.map(([, match = '']) => order.indexOf(match));
      expect(ranks).toEqual(ranks.toSorted());
    }
    expect([outputs.isComplete, items.isComplete]).toEqual([true, true]);
  },
);

test.each(searchedStores)(
  '%s: what holds every word comes before better ranked hits, also with a limit',
  async (name) => {
    const store = await openSearched(name);
    const nameOf = await saveAll(store);
    const answer = await store.outputs.search({ text: 'connection refused', limit: 3 });
    expect(answer.hits.map(({ match }) => match)).toEqual(['all', 'all', 'some']);
    expect(answer.isComplete).toBe(false);
    const two = await store.outputs.search({ text: 'refused "the database"', limit: 1 });
    expect(two.hits.map(({ pointer }) => nameOf(pointer.id))).toEqual(['phrase']);
    expect(two.isComplete).toBe(true);
  },
);

test.each(searchedStores)('%s: the tool of the model says which hits hold less', async (name) => {
  const store = await openSearched(name);
  await saveAll(store);
  const [, search] = readBackTools(store);
  const quoted = await search.execute({ query: '"connection refused"' });
  expect(quoted.split('\n')).toHaveLength(1);
  expect(quoted).toContain('line 1: dial tcp 10.0.0.7:5432: Connection');
  const both = (await search.execute({ query: 'connection refused' })).split('\n');
  expect(both.map((line) => line.startsWith('ctx://'))).toEqual([true, true, false, true, true]);
  expect(both[2]).toBe('These hold only some of the words:');
  const none = (await search.execute({ query: 'connection zeppelin' })).split('\n');
  expect(none[0]).toBe('No hit holds all of the words. These hold some of them:');
  const reversed = (await search.execute({ query: '"refused connection"' })).split('\n');
  expect(reversed[0]).toBe('No hit holds the phrase as quoted. These hold all of the words:');
});

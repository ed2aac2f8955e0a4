import { createMemory } from '@ctx/memory';
import { describe, expect, it } from 'vitest';
import { openSearched, searchedStores } from '../search/searched-stores.ts';

const meanings = [
  ['car', 'automobile', 'vehicle'],
  ['dog', 'puppy', 'pet'],
];

/** Places texts by the meanings that they name. */
async function byMeaning(texts: readonly string[]): Promise<number[][]> {
  return texts.map((text) => [
    0.01,
    ...meanings.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0)),
  ]);
}

describe.each(searchedStores)('a memory over %s', (name) => {
  it('keeps, finds by words and by meaning, corrects, tells the history and forgets', async () => {
    const store = await openSearched(name);
    const open = () => createMemory(store, { scope: { user: 'ada' }, embedder: byMeaning });
    const say = (text: string) => ({
      role: 'user' as const,
      content: [{ type: 'text' as const, text }],
    });
    const said = [say('I live in Bern. Remember that my automobile is a blue Volvo.')];
    await open().observe(said, { sessionId: 's', from: 0, saidAt: 1000 });
    await open().observe(said, { sessionId: 's', from: 0, saidAt: 1000 });
    await open().correct('I live in Bern', { text: 'I live in Berlin', validFrom: 2000 });
    const texts = async (query: string, asOf?: number) =>
      (await open().recall(query, asOf === undefined ? {} : { asOf })).facts.map(
        ({ text }) => text,
      );
    expect(await texts('which vehicle does she drive?')).toEqual(['my automobile is a blue Volvo']);
    expect(await texts('where do I live')).toEqual(['I live in Berlin']);
    expect(await texts('where do I live', 1500)).toEqual(['I live in Bern']);
    const history = await open().history('I live in Berlin');
    expect(history.map(({ text, validTo }) => [text, validTo])).toEqual([
      ['I live in Bern', 2000],
      ['I live in Berlin', undefined],
    ]);
    const { wasKnown } = await open().forget('My automobile is a blue Volvo.');
    expect(wasKnown).toBe(true);
    expect(await texts('which vehicle does she drive?')).toEqual([]);
    expect(JSON.stringify(await open().list())).not.toContain('Volvo');
  });

  it('ends of facts about one matter that were said at one moment all but the last of the log', async () => {
    const store = await openSearched(name);
    const memory = createMemory(store);
    const say = (text: string) => ({
      role: 'user' as const,
      content: [{ type: 'text' as const, text }],
    });
    const cities = ['Bern', 'Berlin', 'Oslo', 'Rome', 'Lima'];
    const said = cities.map((city) => say(`I live in ${city}.`));
    // Another process read the newest message first.
    await memory.observe(said.slice(4), { sessionId: 's', from: 4, saidAt: 1000 });
    await memory.observe(said, { sessionId: 's', from: 0, saidAt: 1000 });
    // A session of before that is read later.
    await memory.observe([say('I live in Cairo.')], { sessionId: 'old', from: 0, saidAt: 500 });
    const { entries } = await memory.list();
    const current = entries.filter(({ validTo }) => validTo === undefined);
    expect(current.map(({ text }) => text)).toEqual(['I live in Lima']);
    expect(entries).toHaveLength(6);
  });
});

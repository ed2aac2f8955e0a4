import { isCtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { memoryBackend } from './backend/memory/memory-backend.ts';
import { type ContextStore, openStore } from './open-store.ts';

/** What a caller hands in whose variable is not set. */
const missing = undefined as unknown as string;

const calls: Readonly<Record<string, (store: ContextStore) => unknown>> = {
  'sessions.get': (store) => store.sessions.get(missing),
  'sessions.update': (store) => store.sessions.update(missing, (session) => session),
  'outputs.save': (store) =>
    store.outputs.save({ sessionId: missing, toolName: 't', args: {}, result: '' }),
  'outputs.load': (store) => store.outputs.load({ sessionId: missing, id: missing }),
  'outputs.search': (store) => store.outputs.search({ text: missing }),
  'outputs.pointers': (store) => store.outputs.pointers({ sessionId: missing }),
  'items.save': (store) => store.items.save({ agentId: missing, kind: 'NOTE', content: '' }),
  'items.get': (store) => store.items.get(missing, missing),
  'items.list': (store) => store.items.list(missing),
  'items.search': (store) => store.items.search(missing, { text: 'word' }),
  'items.search for nothing': (store) => store.items.search('a', { text: missing }),
  'items.load': (store) => store.items.load(missing),
  'items.stats': (store) => store.items.stats(missing),
  'checkpoints.list': (store) => store.checkpoints.list({ agentId: missing }),
  'checkpoints.flashSave': (store) => store.checkpoints.flashSave({ agentId: missing }),
  'events.read': (store) => store.events.read(missing)[Symbol.asyncIterator]().next(),
};

describe('an id or a text that is not set', () => {
  it.each(Object.entries(calls))('is refused by %s in words', async (_name, call) => {
    const store = await openStore(memoryBackend());
    const error: unknown = await (async () => await call(store))().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(isCtxError(error), String(error)).toBe(true);
  });
});

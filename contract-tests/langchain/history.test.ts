import { createByteStore, createChatHistory, createStore } from '@ctx/agent-adapter/langchain';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import {
  AIMessage,
  HumanMessage,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { BaseStore as CoreStore } from '@langchain/core/stores';
import { BaseStore } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';

type Store = Awaited<ReturnType<typeof openStore>>;

const historyOf = (store: Store, sessionId = 's') =>
  createChatHistory({
    ...{ BaseListChatMessageHistory, store, sessionId },
    fromStored: mapStoredMessagesToChatMessages,
  });

describe('a chat history', () => {
  it('gives messages back as LangChain’s own, in order, also from another process', async () => {
    const place = createMemoryPlace();
    const history = historyOf(await openStore(memoryBackend({ place })));
    const tool_calls = [{ id: 'c1', name: 'read', args: { a: 1 }, type: 'tool_call' as const }];
    const told = [
      new SystemMessage('be brief'),
      new HumanMessage({ content: [{ type: 'text', text: 'look' }], id: 'h1' }),
      new AIMessage({ content: '', tool_calls }),
      new ToolMessage({ content: 'x', tool_call_id: 'c1', artifact: { pointer: 'p' } }),
    ];
    await history.addUserMessage('first');
    await history.addMessages(told);
    await history.addAIMessage('last');
    const later = await historyOf(await openStore(memoryBackend({ place }))).getMessages();
    expect(later.slice(1, -1).map((message) => message.toDict())).toEqual(
      told.map((message) => message.toDict()),
    );
    expect(later.map(({ type }) => type)).toEqual(['human', 'system', 'human', 'ai', 'tool', 'ai']);
  });

  it('loses nothing that several add at once, and keeps sessions apart', async () => {
    const store = await openStore(memoryBackend());
    const texts = Array.from({ length: 10 }, (_, index) => String(index));
    await Promise.all(texts.map((text) => historyOf(store).addUserMessage(text)));
    const messages = await historyOf(store).getMessages();
    expect(messages.map(({ text }) => text).toSorted()).toEqual(texts);
    expect(await historyOf(store, 'other').getMessages()).toEqual([]);
    expect(await historyOf(store).copyTo('other')).toBe(10);
    await historyOf(store).clear();
    expect(await historyOf(store).getMessages()).toEqual([]);
    expect(await historyOf(store, 'other').getMessages()).toHaveLength(10);
    await expect(historyOf(store).copyTo('other')).rejects.toMatchObject({
      code: 'CTX_INVALID_INPUT',
    });
  });

  it('keeps no secrets where the store takes them out', async () => {
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);
    const history = historyOf(await openStore(memoryBackend(), { redactor: createRedactor() }));
    await history.addUserMessage(`use ${secret}`);
    expect((await history.getMessages())[0]?.text).toMatch(/^use \[redacted/);
  });
});

describe('a byte store', () => {
  it('keeps bytes by name, each space its own', async () => {
    const store = await openStore(memoryBackend());
    const Base = CoreStore<string, Uint8Array>;
    const bytes = createByteStore({ BaseStore: Base, store });
    const other = createByteStore({ BaseStore: Base, store, space: 'other' });
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await bytes.mset([
      ['a/1', all],
      ['a/2', new Uint8Array()],
      ['b', new Uint8Array([1])],
    ]);
    expect(await bytes.mget(['a/2', 'none', 'a/1'])).toEqual([new Uint8Array(), undefined, all]);
    const names: string[] = [];
    for await (const name of bytes.yieldKeys('a/')) names.push(name);
    expect(names).toEqual(['a/1', 'a/2']);
    await bytes.mdelete(['a/1', 'none']);
    expect(await bytes.mget(['a/1'])).toEqual([undefined]);
    expect(await other.mget(['b'])).toEqual([undefined]);
    await bytes.clear();
    expect(await bytes.mget(['b'])).toEqual([undefined]);
  });
});

describe('a store of LangGraph', () => {
  it('forgets what has lived its time; reading begins it anew unless told otherwise', async () => {
    let now = 0;
    const backing = await openStore(memoryBackend(), { clock: () => now });
    const store = createStore({ BaseStore, store: backing, ttl: { defaultMs: 1000 } });
    const still = createStore({ BaseStore, store: backing, ttl: { refreshOnRead: false } });
    await store.put(['a'], 'read', { n: 1 });
    await store.put(['a'], 'unread', { n: 2 });
    await store.put(['a'], 'long', { n: 3 }, undefined, { ttlMs: 100_000 });
    await still.put(['b'], 'for ever', { n: 4 });
    now = 900;
    expect((await store.get(['a'], 'read'))?.value).toEqual({ n: 1 });
    now = 1500;
    expect(await store.get(['a'], 'unread')).toBeNull();
    expect((await still.search([])).map(({ key }) => key)).toEqual(['long', 'read', 'for ever']);
    now = 1950;
    expect(await store.sweep()).toBe(2);
    now = 200_000;
    expect(await store.listNamespaces()).toEqual([['b']]);
  });

  it('clears what is under a namespace, and takes ranks from embeddings where it has them', async () => {
    const backing = await openStore(memoryBackend());
    const vector = (text: string) => [
      text.includes('sea') ? 1 : 0,
      text.includes('oven') ? 1 : 0,
      0.1,
    ];
    const embeddings = {
      embedQuery: async (text: string) => vector(text),
      embedDocuments: async (texts: string[]) => texts.map(vector),
    };
    const store = createStore({
      ...{ BaseStore, store: backing },
      index: { embeddings, fields: ['title', 'parts[*].text'] },
    });
    await store.put(['a', 'b'], 'bread', { title: 'out of the oven' });
    await store.put(['a', 'c'], 'whale', { title: 'x', parts: [{ text: 'deep sea' }] });
    await store.put(['a'], 'hidden', { title: 'sea' }, false);
    const found = await store.search(['a'], { query: 'what lives in the sea' });
    expect(found.map(({ key }) => key)).toEqual(['whale', 'bread', 'hidden']);
    expect(found[0]?.score).toBeGreaterThan(0.9);
    expect(await store.clear(['a', 'b'])).toBe(1);
    expect(await store.clear()).toBe(2);
    expect(await store.search([])).toEqual([]);
  });
});

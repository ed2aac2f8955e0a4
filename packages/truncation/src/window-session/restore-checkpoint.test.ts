import { sequenceIds } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, textOf, user } from '../window/test-support/test-window.ts';
import { openSessionWindow } from './open-session-window.ts';
import { forkCheckpoint, restoreCheckpoint } from './restore-checkpoint.ts';
import type { SessionWindow } from './session-window.ts';

async function opened(): Promise<ContextStore> {
  let now = Date.UTC(2026, 0, 1);
  return openStore(memoryBackend(), { clock: () => (now += 1000), ids: sequenceIds() });
}

/** Some turns, an item for each, and a fact in the document. */
async function work(store: ContextStore, window: SessionWindow, name: string): Promise<void> {
  for (let index = 0; index < 8; index += 1) {
    const id = `${name}${String(index)}`;
    const text = textOf(200, id);
    await window.insert([user(`ask ${id}`), call(id, 'Read', { path: id }), result(id, text)]);
    await window.insert(assistant(`told ${id}`));
    await window.request();
    await store.items.save({
      agentId: 'agent',
      kind: 'CODE',
      id: `item ${String(index)}`,
      content: text,
    });
  }
  await store.sessions.update('s', (session) => ({
    ...session,
    document: { ...session.document, facts: [...session.document.facts, name] },
  }));
}

const options = { windowTokens: 3000 };

/** Everything that a restore brings back. */
async function everything(store: ContextStore, sessionId = 's', agentId = 'agent') {
  const window = await openSessionWindow({ ...options, store, sessionId });
  const items = await store.items.list(agentId, { limit: 1000 });
  return {
    view: JSON.stringify(window.view()),
    items: items.entries.map(({ id, content, rank, accessCount }) => [
      id,
      content,
      rank,
      accessCount,
    ]),
    facts: (await store.sessions.get(sessionId))?.document.facts,
  };
}

async function saved(store: ContextStore): Promise<string> {
  const receipt = await store.checkpoints.flashSave({ agentId: 'agent', sessionId: 's' });
  return receipt.checkpointId ?? '';
}

describe('restoreCheckpoint', () => {
  it('brings items, document and window back, byte for byte, and takes that back again', async () => {
    const store = await opened();
    const window = await openSessionWindow({ ...options, store, sessionId: 's' });
    await work(store, window, 'first');
    const before = await everything(store);
    const id = await saved(store);
    await store.events.append('s', [{ type: 'note', payload: 'of another program' }]);
    const later = await openSessionWindow({ ...options, store, sessionId: 's' });
    await work(store, later, 'second');
    const after = await everything(store);
    expect(after.view).not.toBe(before.view);

    const { receipt, window: back, windowTo } = await restoreCheckpoint(store, id, options);
    expect(windowTo).toBeDefined();
    expect(await everything(store)).toEqual(before);
    expect(JSON.stringify(back?.view())).toBe(before.view);

    const again = await restoreCheckpoint(store, id, options);
    expect(again.receipt.undo).toBeUndefined();
    expect(again.windowTo).toBeUndefined();

    await restoreCheckpoint(store, receipt.undo?.id ?? '', options);
    expect(await everything(store)).toEqual(after);
  });

  it('goes on from where it went back to', async () => {
    const store = await opened();
    const window = await openSessionWindow({ ...options, store, sessionId: 's' });
    await work(store, window, 'first');
    const id = await saved(store);
    await window.insert(user('a way that was given up'));
    const { window: back } = await restoreCheckpoint(store, id, options);
    await back?.insert(user('another way'));
    const view = JSON.stringify(back?.view());
    expect(view).toContain('another way');
    expect(view).not.toContain('given up');
    expect((await everything(store)).view).toBe(view);
  });

  it('leaves the window alone where the session had none yet', async () => {
    const store = await opened();
    await store.items.save({ agentId: 'agent', kind: 'TASK', id: 'a', content: 'one' });
    const id = await saved(store);
    const window = await openSessionWindow({ ...options, store, sessionId: 's' });
    await window.insert(user('later'));
    await store.items.save({ agentId: 'agent', kind: 'TASK', id: 'a', content: 'two' });
    const restored = await restoreCheckpoint(store, id, options);
    expect(restored.windowTo).toBeUndefined();
    expect(restored.receipt.items.contents).toBe(1);
    expect(restored.window?.view()).toHaveLength(1);
  });

  it('knows no checkpoint that there is none of', async () => {
    await expect(restoreCheckpoint(await opened(), 'none')).rejects.toMatchObject({
      code: 'CTX_NOT_FOUND',
    });
  });
});

describe('forkCheckpoint', () => {
  it('begins another session for another agent where the checkpoint stood', async () => {
    const store = await opened();
    const window = await openSessionWindow({ ...options, store, sessionId: 's' });
    await work(store, window, 'first');
    const before = await everything(store);
    const id = await saved(store);
    await work(store, window, 'second');
    const after = await everything(store);

    const fork = await forkCheckpoint(store, id, { sessionId: 'f', agentId: 'other', options });
    expect(fork.receipt).toMatchObject({ sessionId: 'f', agentId: 'other', missing: [] });
    expect(await everything(store, 'f', 'other')).toEqual(before);
    await fork.window.insert(user('elsewhere'));
    expect(await everything(store)).toEqual(after);
    await expect(
      forkCheckpoint(store, id, { sessionId: 'f', agentId: 'third' }),
    ).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
  });
});

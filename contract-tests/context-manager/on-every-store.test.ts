import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import { type Message, validateMessages } from '@ctx/core';
import { type ContextStore, openStore } from '@ctx/store';
import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { afterEach, describe, expect, it } from 'vitest';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Opens the same store again and again. */
type Opener = () => Promise<ContextStore>;

const stores: Readonly<Record<string, (folder: string) => Opener>> = {
  memory: () => {
    const place = createMemoryPlace();
    return () => openStore(memoryBackend({ place }));
  },
  fs: (folder) => () => openFsStore({ path: join(folder, 'fs') }),
  sqlite: (folder) => () => openSqliteStore({ path: join(folder, 'ctx.db') }),
};

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const reply = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

function turn(id: string, text: string): readonly Message[] {
  const input = { command: id };
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] }],
    },
  ];
}

const log = 'line of a long log\n'.repeat(3000);

/** Records a long result and puts what stands for it into the history. */
async function work(manager: ContextManager, history: Message[], id: string): Promise<string> {
  const call = { id, name: 'Bash', input: { command: id } };
  const { content, pointer = '' } = await manager.recordToolOutput(call, `${id} ${log}`);
  history.push(...turn(id, content));
  return pointer;
}

describe.each(Object.keys(stores))('a context manager on %s', (name) => {
  function opener(): Opener {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-manager-'));
    folders.push(folder);
    const open = stores[name]?.(folder);
    if (open === undefined) throw new TypeError(name);
    return open;
  }

  function managerOf(store: ContextStore): ContextManager {
    return createContextManager({ store, sessionId: 's', agentId: 'ada', model: 'claude-sonnet' });
  }

  it('goes on after a restart: history, outputs, facts, tasks and counts', async () => {
    const open = opener();
    const first = await open();
    const manager = managerOf(first);
    const history = [say('run the tests')];
    const pointer = await work(manager, history, 'c1');
    await manager.session.addFact({ text: 'The owner prefers tabs', source: 'user' });
    await manager.session.updateTask({
      id: 't1',
      status: 'Running',
      description: 'Mend the build',
    });
    const before = await manager.prepare(history);
    await manager.observe({ inputTokens: 120, outputTokens: 7 });
    await manager.end();
    await first.close();
    const second = await open();
    const again = managerOf(second);
    const after = await again.prepare(history);
    expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages));
    expect(after.receipt.inserted).toBe(0);
    const [read] = again.tools();
    expect(await read?.execute({ pointer, from: 2, to: 2 })).toContain('line of a long log');
    const document = await again.session.document();
    expect(document.facts).toEqual(['The owner prefers tabs']);
    expect(document.active_tasks).toHaveLength(1);
    expect(document.tool_stats.by_tool).toEqual({ Bash: 1 });
    expect([document.token_usage.total_input, document.token_usage.total_output]).toEqual([120, 7]);
    await second.close();
  });

  it('brings window, document and items back to a moment, and back again', async () => {
    const store = await opener()();
    const manager = managerOf(store);
    const history = [say('run the tests')];
    await work(manager, history, 'c1');
    await manager.prepare(history);
    const { item } = await manager.items.save({ kind: 'TASK', content: 'Mend the build' });
    await manager.session.addFact({ text: 'The build is broken', source: 'user' });
    const kept = [...history];
    const { checkpointId } = await manager.checkpoint('here');
    await work(manager, history, 'c2');
    history.push(reply('done'));
    await manager.prepare(history);
    await manager.session.addFact({ text: 'The build is fine', source: 'user' });
    await manager.items.save({ kind: 'TASK', content: 'Rest' });
    const { restored } = await manager.restore('here');
    expect(restored?.checkpoint.id).toBe(checkpointId);
    expect((await manager.session.document()).facts).toEqual(['The build is broken']);
    const { entries } = await manager.items.list();
    expect(entries.map(({ id }) => id)).toEqual([item.id]);
    const then = await manager.prepare(kept);
    expect(then.receipt).toMatchObject({ inserted: 0 });
    expect(validateMessages(then.messages)).toEqual([]);
    await manager.restore(restored?.undo?.id ?? '');
    expect((await manager.session.document()).facts).toHaveLength(2);
    const now = await manager.prepare(history);
    expect(now.receipt).toMatchObject({ inserted: 0 });
    await store.close();
  });

  it('comes back to a flash save by its id, and to nothing of anybody else', async () => {
    const store = await opener()();
    const manager = managerOf(store);
    await manager.prepare([say('a')]);
    const { checkpointId = '' } = await manager.flashSave();
    await manager.prepare([say('a'), reply('b'), say('c')]);
    await manager.restore(checkpointId);
    expect((await manager.prepare([say('a')])).receipt).toMatchObject({ inserted: 0 });
    const other = createContextManager({ store, sessionId: 'other', agentId: 'ada' });
    await expect(other.restore(checkpointId)).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
    const stranger = createContextManager({ store, sessionId: 's', agentId: 'eve' });
    await expect(stranger.restore(checkpointId)).rejects.toMatchObject({ code: 'CTX_NOT_FOUND' });
    await store.close();
  });

  it('begins another session from a moment, which reads what the first stored', async () => {
    const store = await opener()();
    const manager = managerOf(store);
    const history = [say('run the tests')];
    const pointer = await work(manager, history, 'c1');
    await manager.prepare(history);
    await manager.checkpoint('here');
    const forked = await manager.fork('here', { sessionId: 'second' });
    const { messages, receipt } = await forked.prepare([...history, reply('other'), say('go on')]);
    expect(receipt.inserted).toBe(2);
    expect(validateMessages(messages)).toEqual([]);
    const [read] = forked.tools();
    expect(await read?.execute({ pointer, from: 2, to: 2 })).toContain('line of a long log');
    await expect(manager.fork('here', { sessionId: 'second' })).rejects.toMatchObject({
      code: 'CTX_STORE_CONFLICT',
    });
    await expect(manager.fork('nowhere', { sessionId: 'third' })).rejects.toMatchObject({
      code: 'CTX_NOT_FOUND',
    });
    await store.close();
  });

  it('remembers, recalls and forgets beyond the session, and finds what answers a query', async () => {
    const store = await opener()();
    const manager = managerOf(store);
    await manager.saveContext('Read', { path: 'src/zebra.ts' }, 'stripes');
    await manager.saveContext('Bash', { command: 'ls' }, 'nothing of note');
    const { selected } = await manager.relevant('what is in zebra.ts?', { maxResults: 1 });
    expect(selected.map(({ pointer }) => pointer.toolName)).toEqual(['Read']);
    await manager.remember('The owner prefers tabs');
    const later = createContextManager({ store, sessionId: 'later', agentId: 'ada' });
    expect(await later.recall('tabs')).toHaveLength(1);
    await later.forget('The owner prefers tabs');
    expect(await manager.recall('tabs')).toEqual([]);
    await store.close();
  });

  it('does nothing that was called off before its turn came', async () => {
    const store = await opener()();
    const manager = managerOf(store);
    const told: string[] = [];
    manager.on('checkpointed', () => told.push('checkpointed'));
    manager.on('flash-saved', () => told.push('flash-saved'));
    manager.on('ended', ({ keep }) => told.push(`ended ${String(keep)}`));
    const signal = AbortSignal.abort();
    await manager.prepare([say('a')]);
    const calls = [
      manager.checkpoint('here', { signal }),
      manager.flashSave('label', { signal }),
      manager.restore('here', { signal }),
      manager.relevant('a', { signal }),
      manager.prepare([say('b')], { signal }),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'CTX_ABORTED' });
    expect(await manager.checkpoints()).toEqual([]);
    await manager.end();
    expect(told).toEqual(['ended true']);
    await store.close();
  });
});

import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createContextManager } from '../context-manager/create-context-manager.ts';
import { contextMiddleware } from './context-middleware.ts';
import type { MessageShape } from './host-types.ts';

function message(type: string, data: { readonly content: unknown }): MessageShape {
  return { ...data, getType: () => type, toDict: () => ({ type, data }) };
}

const fromStored = (stored: readonly { type: string; data: { content: unknown } }[]) =>
  stored.map(({ type, data }) => message(type, data));

class RemoveMessage {
  content = '';
  id: string;
  constructor({ id }: { readonly id: string }) {
    this.id = id;
  }
  getType = () => 'remove';
  toDict = () => ({ type: 'remove', data: {} });
}

describe('the state of a thread', () => {
  it('keeps what only left the request: a compaction alone changes it', async () => {
    const store = await openStore(memoryBackend(), { clock: () => 0 });
    const model = { name: 'm', windowTokens: 12_000, price: 'anthropic-5m' };
    const manager = createContextManager({ store, sessionId: 's', model, compaction: false });
    let flushes = 0;
    manager.on('flushed', () => (flushes += 1));
    const middleware = contextMiddleware(manager, {
      fromStored,
      RemoveMessage,
    });
    const messages = [message('human', { content: 'Go' })];
    for (let step = 0; flushes === 0; step += 1) {
      const id = `c${String(step)}`;
      const call = { content: '', tool_calls: [{ id, name: 'Bash', args: { step } }] };
      const result = { content: `${id} ${'passed '.repeat(900)}`, tool_call_id: id, name: 'Bash' };
      messages.push(message('ai', call), message('tool', result));
      await middleware.wrapModelCall({ messages: [...messages], runtime: {} }, () => '.');
      expect(await middleware.beforeModel({ messages }, {})).toBeUndefined();
    }
    expect(flushes).toBe(1);
  });
});

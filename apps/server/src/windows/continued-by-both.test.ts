import { createContextManager } from '@ctx/agent-adapter';
import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { prepare } from './prepare.ts';
import { createSessionWindows } from './session-windows.ts';

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const reply = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

const log = 'line of a long log\n'.repeat(3000);

const history: readonly Message[] = [
  say('run the tests'),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'Bash', input: {} }] },
  {
    role: 'user',
    content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: log }] }],
  },
  reply('done'),
];

async function setUp() {
  const store = await openStore(memoryBackend());
  const windows = createSessionWindows();
  const serve = (messages: readonly Message[]) =>
    prepare(windows, { store, sessionId: 's', messages, from: 0, windowTokens: 200_000 });
  return { store, windows, serve };
}

describe('a session that an agent and the server continue in turn', () => {
  it('is known to the server by what the manager put in', async () => {
    const { store, windows, serve } = await setUp();
    const manager = createContextManager({ store, sessionId: 's' });
    await manager.prepare(history);
    await manager.end();
    const longer = [...history, say('and now?')];
    expect(await serve(longer)).toMatchObject({ added: 1, total: 5 });
    await expect(serve([say('another beginning'), ...longer.slice(1)])).rejects.toMatchObject({
      problem: { status: 409 },
    });
    await windows.close();
  });

  it('is known to the manager by what the server put in', async () => {
    const { store, windows, serve } = await setUp();
    await serve(history);
    await windows.close();
    const manager = createContextManager({ store, sessionId: 's' });
    const { receipt } = await manager.prepare([...history, say('and now?')]);
    expect(receipt.inserted).toBe(1);
    expect(receipt.rewound).toBeUndefined();
  });
});

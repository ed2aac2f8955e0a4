import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createContextManager } from '../context-manager/create-context-manager.ts';

/** A result far over the limit, with a line in its middle that no preview holds: it is alike but for its number. */
const logOf = (needle: string): string => {
  const lines = Array.from({ length: 3000 }, (_, at) => `line ${String(2 * at)} of a long log`);
  return lines.with(1511, `line ${needle} of a long log`).join('\n');
};

async function recorded(needles: readonly string[]) {
  const store = await openStore(memoryBackend());
  const manager = createContextManager({ store, sessionId: 's' });
  const history: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'look' }] }];
  for (const [at, needle] of needles.entries()) {
    const call = { type: 'tool_use', id: `c${String(at)}`, name: 'Bash', input: { at } } as const;
    const { content } = await manager.recordToolOutput(call, logOf(needle));
    expect(content).not.toContain(needle);
    const text = { type: 'text', text: content } as const;
    const result = { type: 'tool_result', toolUseId: call.id, content: [text] } as const;
    history.push({ role: 'assistant', content: [call] }, { role: 'user', content: [result] });
  }
  await manager.prepare(history);
  const [read] = manager.tools();
  if (read === undefined) throw new TypeError('a manager offers tools');
  return (args: object) => read.execute(args);
}

describe('an address of several messages', () => {
  it.each(['ctx://messages/2,4', 'ctx://messages/1-4', 'ctx://messages/3-4,2'])(
    'is searched in whole results, not in their previews: %s',
    async (pointer) => {
      const read = await recorded(['3001', '3003']);
      expect(await read({ pointer, pattern: '3001' })).toContain('line 3001 of');
      expect(await read({ pointer, pattern: '3003' })).toContain('line 3003 of');
    },
  );

  it('is read line by line to the end of the last result', async () => {
    const read = await recorded(['3001', '3003']);
    const answer = await read({ pointer: 'ctx://messages/2,4', from: 6000 });
    expect(answer).toContain('line 5998 of a long log');
    expect(answer).toMatch(/of 6004\]/);
  });
});

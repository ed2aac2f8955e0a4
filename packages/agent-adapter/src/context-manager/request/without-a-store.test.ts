import { type Message, validateMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createContextManager } from '../create-context-manager.ts';

const textOf = (lines: number, name: string): string =>
  Array.from({ length: lines }, (_, at) => `${name} line ${String(at)} of the log`).join('\n');

/** Exchanges whose results are far over the limit for previews. */
function historyOf(count: number, lines: number): Message[] {
  const task: Message = { role: 'user', content: [{ type: 'text', text: 'Go through the logs.' }] };
  const steps = Array.from({ length: count }, (_, at): Message[] => {
    const id = `c${String(at)}`;
    const text = { type: 'text', text: textOf(lines, id) } as const;
    const input = { command: id, script: textOf(100, `script ${id}`) };
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content: [text] }] },
    ];
  });
  return [task, ...steps.flat()];
}

async function prepareClosed(history: readonly Message[]) {
  const store = await openStore(memoryBackend());
  const model = { name: 'm', windowTokens: 32_000, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model });
  await manager.prepare(history.slice(0, 1));
  await store.close();
  return manager.prepare(history);
}

describe('a request when the store was closed in the middle of a run', () => {
  it('keeps whole what fits, whatever the size of a single result', async () => {
    const history = historyOf(4, 500);
    const { messages, receipt } = await prepareClosed(history);
    expect(receipt.degraded).toBeDefined();
    expect(messages).toEqual(history);
  });

  it('promises no address where it had to shorten, and says that the rest is not stored', async () => {
    const history = historyOf(12, 500);
    const { messages, receipt } = await prepareClosed(history);
    const said = JSON.stringify(messages);
    expect(receipt.tokens).toBeLessThan(32_000);
    expect(validateMessages(messages)).toEqual([]);
    expect(said).not.toContain('ctx://');
    expect(said).toContain('not stored');
    expect(said).toContain('c11 line 499');
  });

  it('leaves addresses alone that the history itself holds', async () => {
    const own = { type: 'text', text: 'see ctx://nowhere and ctx://messages/3' } as const;
    const history = historyOf(12, 500).with(0, { role: 'user', content: [own] });
    const { messages } = await prepareClosed(history);
    expect(messages[0]?.content[0]).toEqual(own);
  });
});

import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createContextManager } from '../create-context-manager.ts';

const text = (value: string) => ({ type: 'text', text: value }) as const;

/** A long run of one tool: its results leave the tail soon, and going on showing them costs. */
function longRun(steps: number): Message[] {
  const history: Message[] = [{ role: 'user', content: [text('go')] }];
  for (let step = 0; step < steps; step += 1) {
    const id = `c${String(step)}`;
    history.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'run', input: { step } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: id, content: [text(`${id} word `.repeat(600))] },
        ],
      },
    );
  }
  return history;
}

async function flushesOf(windowTokens: number, providerEdits: boolean): Promise<string[]> {
  const store = await openStore(memoryBackend());
  const model = { name: 'm', windowTokens, price: 'anthropic-5m' };
  const manager = createContextManager({ store, sessionId: 's', model });
  const causes: string[] = [];
  const history = longRun(120);
  for (let end = 1; end <= history.length; end += 2) {
    const { receipt } = await manager.prepare(history.slice(0, end), { providerEdits });
    if (receipt.flush !== undefined) causes.push(receipt.flush.cause);
    expect(receipt.compaction === undefined || !providerEdits).toBe(true);
  }
  return causes;
}

describe('a context that the provider edits', () => {
  it('loses nothing here because it pays', async () => {
    expect(await flushesOf(1_000_000, false)).toContain('economic');
    expect(await flushesOf(1_000_000, true)).toEqual([]);
  });

  it('still fits the window', async () => {
    const causes = await flushesOf(60_000, true);
    expect(new Set(causes)).toEqual(new Set(['hard']));
  });
});

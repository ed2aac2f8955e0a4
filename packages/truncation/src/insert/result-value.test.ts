import type { ToolResultBlock } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { isSameResult, resultValueOf } from './result-value.ts';

const blockOf = (content: ToolResultBlock['content']): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId: 'a',
  content,
});
const text = { type: 'text', text: 'x'.repeat(2000) } as const;
const image = { type: 'opaque', format: 'anthropic:image', data: { type: 'image' } } as const;

describe('a result as the store takes it', () => {
  it('is a text where it is one, and comes back as it was, whatever it holds', async () => {
    const store = await openStore(memoryBackend());
    const blocks = [
      [],
      [text],
      [text, text],
      [text, image],
      [image],
      [{ ...text, extra: { format: 'anthropic', fields: { cache_control: 1 } } }],
      [{ type: 'text', text: '\ud800' } as const],
    ].map(blockOf);
    expect(blocks.map((block) => typeof resultValueOf(block))).toEqual([
      'string',
      'string',
      'object',
      'object',
      'object',
      'object',
      'string',
    ]);
    for (const block of blocks) {
      const result = resultValueOf(block);
      const { pointer } = await store.outputs.save({
        sessionId: 's',
        toolName: 't',
        args: {},
        result,
      });
      const loaded = await store.outputs.load(pointer);
      expect(isSameResult(block, loaded?.result)).toBe(true);
      expect(blocks.filter((other) => isSameResult(other, loaded?.result))).toEqual([block]);
    }
  });
});

import type { Message, ToolUseBlock } from '@ctx/core';
import { messageCounter } from '@ctx/tokens';
import { describe, expect, it } from 'vitest';
import { createSegmentMeter, textOfBlock, tokensPerMessage } from './measure-segments.ts';

const framing = messageCounter({ counter: () => 0 });
const emptyResult = { type: 'tool_result', toolUseId: 'c', content: [] } as const;
const tokensPerToolBlock =
  framing({ role: 'user', content: [emptyResult] }) - framing({ role: 'user', content: [] });

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const callWith = (input: unknown): Message => {
  const block: ToolUseBlock = { type: 'tool_use', id: 'a', name: 'Bash', input };
  return { role: 'assistant', content: [block] };
};

describe('the segment meter', () => {
  it('counts every block once, however often it is rendered', () => {
    let counted = 0;
    const meter = createSegmentMeter((text) => {
      counted += 1;
      return words(text);
    });
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'one two' }] },
      { role: 'user', content: [{ type: 'text', text: 'three' }] },
    ];
    const first = meter.segments('be kind', messages);
    expect(meter.segments('be kind', [...messages])).toEqual(first);
    expect(counted).toBe(3);
    expect(first.map(({ tokens }) => tokens)).toEqual([2, 2, 1].map((n) => n + tokensPerMessage));
  });

  it('tells roles, places in a message and kinds of block apart', () => {
    const meter = createSegmentMeter(words);
    const text = { type: 'text', text: 'x' } as const;
    const result = { type: 'tool_result', toolUseId: 'a', content: [text] } as const;
    const ids = [
      { role: 'user', content: [text] } as const,
      { role: 'assistant', content: [text] } as const,
      { role: 'user', content: [result] } as const,
      { role: 'user', content: [{ ...result, isError: true }] } as const,
    ].flatMap((message) => meter.segments(undefined, [message]).map(({ id }) => id));
    const joined = meter.segments(undefined, [{ role: 'user', content: [text, text] }]);
    expect(new Set([...ids, ...joined.map(({ id }) => id)]).size).toBe(5);
    expect(meter.tokensOf({ role: 'user', content: [result] })).toBe(
      1 + tokensPerToolBlock + tokensPerMessage,
    );
    expect(meter.segments('', [])).toEqual([]);
    const systems = ['be kind', 'be brief'].flatMap((system) => meter.segments(system, []));
    expect(new Set(systems.map(({ id }) => id)).size).toBe(2);
  });

  it('measures whatever a call may hold', () => {
    const meter = createSegmentMeter(words);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const ids = [1n, cycle, deep, undefined].map(
      (input) => meter.segments(undefined, [callWith({ input })])[0]?.id,
    );
    expect(new Set(ids).size).toBe(4);
  });
});

describe('the text of a block', () => {
  it('is what a model reads of it', () => {
    const text = { type: 'text', text: 'one' } as const;
    expect(textOfBlock(text)).toBe('one');
    expect(textOfBlock({ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } })).toBe(
      'Bash {\n  "command": "ls"\n}',
    );
    const content = [text, { type: 'text', text: 'two' }] as const;
    expect(textOfBlock({ type: 'tool_result', toolUseId: 'a', content })).toBe('one\ntwo');
    const image = { type: 'image', source: { type: 'base64', data: '', mediaType: 'image/png' } };
    expect(textOfBlock(image as never)).toBe('');
  });
});

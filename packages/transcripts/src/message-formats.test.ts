import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { builtInFormats } from './built-in-formats.ts';
import { messageFormats } from './message-formats.ts';

const said: Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'what is in a.ts?' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } }],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'one constant' }] },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'One constant.' }] },
];

/** What a message says, without what a format adds for the way back. */
const wordsOf = (messages: readonly Message[]) =>
  messages.map(({ role, content }) => [
    role,
    ...content.map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'tool_use') return [block.id, block.name, block.input];
      if (block.type !== 'tool_result') return block.type;
      return [block.toolUseId, block.content.map((part) => part.type === 'text' && part.text)];
    }),
  ]);

describe.each(Object.entries(messageFormats))('the message format %s', (name, format) => {
  it('reads what it wrote, and writes equal records again', () => {
    const records = format.write(said);
    const read = format.read(records);
    expect(wordsOf(read)).toEqual(wordsOf(said));
    expect(format.write(read)).toEqual(records);
  });

  it('leaves out what is no message, and names what it cannot hold', () => {
    expect(format.read([null, 7, 'text', {}])).toEqual([]);
    const foreign: Message = {
      role: 'user',
      content: [{ type: 'opaque', format: 'elsewhere:part', data: 1 }],
    };
    const losses: string[] = [];
    format.write([foreign], { note: (loss) => losses.push(loss) });
    expect(losses).not.toEqual([]);
  });

  it('has the name of a transcript format', () => {
    expect(builtInFormats.map((each) => each.name)).toContain(name);
  });
});

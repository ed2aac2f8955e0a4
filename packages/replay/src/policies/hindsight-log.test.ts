import { type ContentBlock, type Message, validateMessages } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createRecorder } from '../recorder.ts';
import { type HindsightUnit, hindsightUnits } from './hindsight-log.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const call = (id: string): ContentBlock => ({
  type: 'tool_use',
  id,
  name: 'Read',
  input: { path: `${id}.ts` },
});
const result = (toolUseId: string, length = 500): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [{ type: 'text', text: 'x'.repeat(length) }],
});
const thinking: ContentBlock = { type: 'opaque', format: 'anthropic:thinking', data: {} };

/** The units of messages whose results were recorded. */
async function unitsOf(messages: readonly Message[]): Promise<HindsightUnit[]> {
  const store = await openStore(memoryBackend(), { tokenCounter: (given) => given.length });
  const recorder = createRecorder('s', { store });
  const outputs = [];
  for (const message of messages) outputs.push(await recorder.record(message));
  return hindsightUnits({ messages, outputs, steps: [] });
}

describe('the units of a session in hindsight', () => {
  const task: Message = { role: 'user', content: [text('task')] };

  it('leave as one: a line for each call and result, words stay', async () => {
    const large: ContentBlock = {
      type: 'tool_use',
      id: 'b',
      name: 'Bash',
      input: { command: 'x' },
    };
    const messages: Message[] = [
      task,
      { role: 'assistant', content: [text('I look'), call('a'), large] },
      { role: 'user', content: [result('a'), result('b', 5000), text('and this')] },
    ];
    const [first, second] = await unitsOf(messages);
    expect(first).toEqual({ start: 0, whole: [task], wholePointers: [], leftPointers: [] });
    const [ofA = '', ofB = ''] = second?.leftPointers ?? [];
    expect(second?.left).toEqual([
      { role: 'assistant', content: [text('I look')] },
      {
        role: 'user',
        content: [
          text(`[Read a.ts → ctx://outputs/${ofA}]`),
          text(`[Bash x → ctx://outputs/${ofB}]`),
          text('and this'),
        ],
      },
    ]);
    // The large result is a preview with its pointer from the beginning.
    expect(second?.wholePointers).toEqual([ofB]);
    expect(second?.whole[0]).toBe(messages[1]);
    expect(validateMessages([task, ...(second?.left ?? [])])).toEqual([]);
  });

  it('keep a call whose message holds thinking, and leave a short result', async () => {
    const messages: Message[] = [
      task,
      { role: 'assistant', content: [thinking, call('a')] },
      { role: 'user', content: [result('a')] },
    ];
    const [, unit] = await unitsOf(messages);
    expect(unit?.left?.[0]).toEqual(messages[1]);
    expect(JSON.stringify(unit?.left?.[1])).toContain('kept at ctx://outputs/');
    expect(validateMessages([task, ...(unit?.left ?? [])])).toEqual([]);
  });

  it('stay where a result cannot be read back', () => {
    const messages: Message[] = [
      { role: 'assistant', content: [call('a')] },
      { role: 'user', content: [result('a')] },
    ];
    const outputs = messages.map(() => new Map<string, never>());
    expect(hindsightUnits({ messages, outputs, steps: [] })[0]?.left).toBeUndefined();
  });
});

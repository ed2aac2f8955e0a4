import { validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { viewOfTask } from './cline-view.ts';
import { pairXmlTools } from './cline-xml-tools.ts';

async function eventsOf(
  ...texts: readonly (readonly string[])[]
): Promise<readonly TranscriptEvent[]> {
  const task = texts.map((blocks, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: blocks.map((text) => ({ type: 'text', text })),
    ts: index,
  }));
  const { events } = await readTranscript(bytesOf(JSON.stringify(task)), { format: 'cline' });
  return events.filter(({ kind }) => kind === 'message');
}

const contentsOf = (events: readonly TranscriptEvent[]): unknown[] =>
  events.flatMap(({ message }) => (message === undefined ? [] : [message.content]));

const callOf = (body: string): string => `I look.\n<read_file>\n${body}\n</read_file>`;
const details = '<environment_details>\n# Time\n</environment_details>';

describe('calls in XML', () => {
  it('become pairs, with the result behind its heading or in the next block', async () => {
    const events = await eventsOf(
      ['<task>go</task>'],
      [callOf('<path>a.ts</path>')],
      ["[read_file for 'a.ts'] Result:", 'text of a', details],
      ['Then:\n<execute_command>\n<command>ls <x></command>\n</execute_command>\nDone.'],
      ["[execute_command for 'ls'] Result:\nb.ts"],
    );
    const { events: shown } = viewOfTask(events, { agent: 'cline', xmlTools: true });
    expect(contentsOf(shown)).toEqual([
      [{ type: 'text', text: '<task>go</task>' }],
      [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'xml-message-1', name: 'read_file', input: { path: 'a.ts' } },
      ],
      [
        {
          type: 'tool_result',
          toolUseId: 'xml-message-1',
          content: [{ type: 'text', text: 'text of a' }],
        },
        { type: 'text', text: details },
      ],
      [
        { type: 'text', text: 'Then:' },
        { type: 'text', text: 'Done.' },
        {
          type: 'tool_use',
          id: 'xml-message-3',
          name: 'execute_command',
          input: { command: 'ls <x>' },
        },
      ],
      [
        {
          type: 'tool_result',
          toolUseId: 'xml-message-3',
          content: [{ type: 'text', text: 'b.ts' }],
        },
      ],
    ]);
    expect(contentsOf(viewOfTask(events, { agent: 'cline' }).events)).toEqual(contentsOf(events));
  });

  it.each([
    ['a tag that is no tool', '<thinking>x</thinking>'],
    ['a call that is not closed', '<read_file><path>a.ts</path>'],
    ['another tool than the one answered', '<list_files><path>.</path></list_files>'],
  ])('stay text: %s', async (_name, text) => {
    const events = await eventsOf(['go'], [text], ["[read_file for 'a.ts'] Result:", 'x']);
    expect(pairXmlTools(events)).toEqual(events);
  });

  it('keep a value with tags of its own whole', async () => {
    const html = '<p>\n</content>\n<b>x</b>';
    const text = `<write_to_file>\n<path>a.html</path>\n<content>\n${html}\n</content>\n</write_to_file>`;
    const events = await eventsOf(['go'], [text], ["[write_to_file for 'a.html'] Result:", 'ok']);
    const [, called] = pairXmlTools(events);
    expect(called?.message?.content).toMatchObject([{ input: { path: 'a.html', content: html } }]);
  });

  it('give valid requests, and lose no text of a result, whatever the texts hold', async () => {
    const part = fc.constantFrom(
      ...['<read_file>', '</read_file>', '<path>', '</path>', '<', '>', 'a', '\n'],
      ...["[read_file for 'a'] Result:", '] Result:', details, '<apply_diff>', '</apply_diff>'],
    );
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    const message = fc.array(text, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 2, maxLength: 7 }), async (texts) => {
        const events = await eventsOf(...texts);
        const paired = pairXmlTools(events);
        const messages = paired.flatMap((event) => (event.message ? [event.message] : []));
        expect(messages).toHaveLength(events.length);
        expect(validateMessages(messages)).toEqual(
          validateMessages(events.flatMap((event) => (event.message ? [event.message] : []))),
        );
      }),
    );
  });

  it('are looked for in linear time', async () => {
    const hostile = `<read_file>${'<a>'.repeat(200_000)}${'<'.repeat(200_000)}</read_file>`;
    const events = await eventsOf(['go'], [hostile], ["[read_file for 'a'] Result:", 'x']);
    expect(pairXmlTools(events)[1]?.message?.content).toMatchObject([{ type: 'tool_use' }]);
  });
});

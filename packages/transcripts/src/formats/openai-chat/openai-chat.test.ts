import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { readTranscript } from '../../read-transcript.ts';
import { anyOpenAiMessage } from '../../testing/any-message.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { writeTranscript } from '../../write-transcript.ts';
import { fromOpenAiChat } from './openai-chat-message.ts';
import { toOpenAiChat } from './openai-chat-write.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const call = (id: string, text: string): unknown => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: text },
});
const chat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'what is in a and b?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [call('c1', '{"path": "a"}'), call('c2', '{"path":"b"}')],
  },
  { role: 'tool', tool_call_id: 'c1', name: 'read', content: '1' },
  { role: 'tool', tool_call_id: 'c2', content: '' },
  { role: 'assistant', content: '1 and nothing' },
];

const read = async (document: unknown): Promise<readonly TranscriptEvent[]> => {
  const bytes = bytesOf(JSON.stringify(document));
  return (await readTranscript(bytes, { format: 'openai-chat' })).events;
};
const write = async (log: readonly TranscriptEvent[]): Promise<unknown> =>
  JSON.parse(textOf((await writeTranscript(log, { format: 'openai-chat' })).bytes));

describe('the openai-chat format', () => {
  it('makes one user message of the results that follow each other, and splits it again', () => {
    const messages = fromOpenAiChat(chat);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(messages[3]?.content).toMatchObject([
      { toolUseId: 'c1', content: [{ text: '1' }] },
      { toolUseId: 'c2', content: [] },
    ]);
    expect(toOpenAiChat(messages)).toEqual(chat);
  });

  it('parses the arguments and keeps their exact text', () => {
    const [, , asked] = fromOpenAiChat(chat);
    expect(asked?.content[0]).toMatchObject({
      input: { path: 'a' },
      extra: { arguments: '{"path": "a"}' },
    });
  });

  it('writes changed arguments anew', () => {
    const [, , asked] = fromOpenAiChat(chat);
    const content = asked?.content.map((block) =>
      block.type === 'tool_use' ? { ...block, input: { path: 'z' } } : block,
    );
    const [record] = toOpenAiChat([{ role: 'assistant', content: content ?? [] }]);
    expect(JSON.stringify(record)).toContain(String.raw`"arguments":"{\"path\":\"z\"}"`);
  });

  it('keeps arguments that are no JSON as the text they are', () => {
    const records = [{ role: 'assistant', content: '', tool_calls: [call('c1', '{"path": ')] }];
    expect(fromOpenAiChat(records)[0]?.content[0]).toMatchObject({ input: '{"path": ' });
    expect(toOpenAiChat(fromOpenAiChat(records))).toEqual(records);
  });

  it('keeps content that is null, absent, a string and a list apart', () => {
    const records = [
      { role: 'assistant', content: null },
      { role: 'assistant' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: [] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url: 'data:' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'x' }] },
    ];
    expect(toOpenAiChat(fromOpenAiChat(records))).toEqual(records);
  });

  it('pairs legacy function calls, which have no id', () => {
    const records = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: '1' },
    ];
    const messages = fromOpenAiChat(records);
    const [block] = messages[1]?.content ?? [];
    expect(block).toMatchObject({ type: 'tool_use', id: 'function_call_0' });
    expect(messages[2]?.content[0]).toMatchObject({ toolUseId: 'function_call_0' });
    expect(toOpenAiChat(messages)).toEqual(records);
  });

  it('keeps custom calls, developer messages, refusals and reasoning', () => {
    const records = [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'assistant',
        content: 'no',
        refusal: 'no',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls -l' } }],
      },
    ];
    expect(toOpenAiChat(fromOpenAiChat(records))).toEqual(records);
  });

  it('keeps a document of sessions with all fields around the messages', async () => {
    const sessions = [
      { task: 1, traj: chat, reward: 0.5 },
      { task: 2, traj: chat.slice(1) },
    ];
    const events = await read(sessions);
    const lanes = [...new Set(events.filter(({ message }) => message).map(({ lane }) => lane))];
    expect(lanes.map((lane) => requestsOf(events, { lane }).requests.length)).toEqual([2, 2]);
    expect(requestsOf(events, { lane: lanes[0] ?? '' }).system).toBeDefined();
    expect(await write(events)).toEqual(sessions);
  });

  it('gives any list of records back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyOpenAiMessage, { maxLength: 6 }), async (records) => {
        expect(await write(await read(records))).toEqual(records);
      }),
      { numRuns: 1_000 * share },
    );
  });
});

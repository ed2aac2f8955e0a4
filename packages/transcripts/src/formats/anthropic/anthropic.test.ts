import type { Message } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withRecordedCallIds } from '../../calls/call-ids.ts';
import { requestsOf } from '../../history/requests-of.ts';
import { messagesOf } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { anyJsonMessage, anyMessage } from '../../testing/any-message.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { writeTranscript } from '../../write-transcript.ts';
import { fromAnthropicMessage, toAnthropicMessage } from './anthropic-message.ts';

const read = async (document: unknown): Promise<readonly TranscriptEvent[]> => {
  const bytes = bytesOf(JSON.stringify(document));
  return (await readTranscript(bytes, { format: 'anthropic' })).events;
};
const write = async (log: readonly TranscriptEvent[] | readonly Message[]): Promise<unknown> =>
  JSON.parse(textOf((await writeTranscript(log, { format: 'anthropic' })).bytes));

const call = { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.ts' } };
const result = { type: 'tool_result', tool_use_id: 't1', content: 'x = 1' };
const session = {
  title: 'kept',
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'what is x?' },
    { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
    { role: 'user', content: [result] },
    { role: 'assistant', content: [{ type: 'text', text: '1' }] },
  ],
  licence: { name: 'MIT' },
};

describe('the anthropic format', () => {
  it('keeps the fields around the messages, so that the document comes back', async () => {
    expect(await write(await read(session))).toEqual(session);
    expect(await write(await read(session.messages))).toEqual(session.messages);
  });

  it('reads the system prompt apart from the messages, wherever it stands', async () => {
    const { system, ...rest } = session;
    for (const document of [session, { ...rest, system }]) {
      const { messages, system: prompt } = requestsOf(await read(document));
      expect(prompt?.content).toEqual([{ type: 'text', text: 'Be brief.' }]);
      expect(messages).toHaveLength(4);
      expect(await write(await read(document))).toEqual(document);
    }
  });

  it('knows what stood before each response', async () => {
    const { requests } = requestsOf(await read(session));
    expect(requests.map(({ messageCount }) => messageCount)).toEqual([1, 3]);
  });

  it('makes blocks of content that was a string, and a string of it again', async () => {
    const [question] = messagesOf(await read(session));
    expect(question?.content).toEqual([{ type: 'text', text: 'what is x?' }]);
    const empty = [
      { role: 'user', content: '' },
      { role: 'user', content: [{ ...result, content: '' }] },
    ];
    expect(await write(await read(empty))).toEqual(empty);
  });

  it('keeps thinking, signatures, images, cache marks and unknown blocks as they are', async () => {
    const messages = [
      {
        role: 'assistant',
        id: 'msg_1',
        content: [
          { type: 'thinking', thinking: 'hm \ud83d', signature: 'EtUC+/=' },
          { type: 'redacted_thinking', data: 'AAAA' },
          { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } },
          { type: 'from_the_future', deep: [{ __proto__: 1 }] },
          { ...call, caller: 'direct' },
        ],
      },
      {
        role: 'user',
        content: [
          { ...result, is_error: false, content: [{ type: 'image', source: { data: 'iVBO' } }] },
          { type: 'tool_result', tool_use_id: 't2' },
          { type: 'tool_result', tool_use_id: 't3', is_error: null, content: 'odd' },
        ],
      },
    ];
    const events = await read(messages);
    expect(await write(events)).toEqual(messages);
    expect(events[1]?.message?.content[0]).toMatchObject({ format: 'anthropic:thinking' });
  });

  it('keeps elements that are no messages in their place', async () => {
    const messages = [
      { role: 'user', content: 'a' },
      7,
      { role: 'robot' },
      null,
      [],
      { role: 'user' },
    ];
    expect(await write(await read(messages))).toEqual(messages);
  });

  it('keeps keys that every object inherits', async () => {
    const bytes = bytesOf(
      '{"__proto__":{"a":1},"messages":[{"role":"user","content":"x","__proto__":2}]}',
    );
    const { events } = await readTranscript(bytes, { format: 'anthropic' });
    const again = await writeTranscript(events, { format: 'anthropic' });
    expect(textOf(again.bytes)).toBe(
      '{"__proto__":{"a":1},"messages":[{"role":"user","content":"x","__proto__":2}]}',
    );
  });

  it('reads a list of sessions, each a lane of its own', async () => {
    const sessions = [session, { ...session, title: 'second' }];
    const events = await read(sessions);
    const lanes = [...new Set(events.filter(({ message }) => message).map(({ lane }) => lane))];
    expect(lanes).toHaveLength(2);
    for (const lane of lanes) expect(requestsOf(events, { lane }).requests).toHaveLength(2);
    expect(await write(events)).toEqual(sessions);
  });

  it('gives the bytes back where the source is kept, and not where something was changed', async () => {
    const source = bytesOf(JSON.stringify(session, undefined, 3));
    const { events } = await readTranscript(source);
    const copy = await writeTranscript(events, { format: 'anthropic', source });
    expect(copy.bytes).toBe(source);
    expect(copy.receipt.isCopy).toBe(true);
    const shorter = await writeTranscript(events.slice(0, -1), { format: 'anthropic', source });
    expect(shorter.receipt.isCopy).toBe(false);
  });

  it('writes any canonical messages and reads them again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyMessage), async (messages) => {
        const events = await read(await write(messages));
        const again = events.map(withRecordedCallIds);
        expect(again.flatMap(({ message }) => (message ? [message] : []))).toEqual(messages);
      }),
    );
  });

  it('turns any JSON with a role into a message and back', () => {
    fc.assert(
      fc.property(anyJsonMessage, (value) => {
        const message = fromAnthropicMessage(value);
        expect(message && toAnthropicMessage(message)).toEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });
});

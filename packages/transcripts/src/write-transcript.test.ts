import { isCtxError, type Message, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { fromAnthropicMessage } from './formats/anthropic/anthropic-message.ts';
import { messagesOf } from './history/view-at.ts';
import { readTranscript } from './read-transcript.ts';
import {
  assistantLine,
  callBlock,
  fileOf,
  resultLine,
  userLine,
} from './testing/claude-code-lines.ts';
import { bytesOf, textOf } from './testing/text-source.ts';
import type { TranscriptEvent } from './transcript.ts';
import { streamTranscript, type WrittenTranscript, writeTranscript } from './write-transcript.ts';

const chat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', name: 'Ann', content: 'go' },
  {
    role: 'assistant',
    content: null,
    tool_calls: ['c1', 'c2'].map((id) => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: '{"a": 1}' },
    })),
  },
  { role: 'tool', tool_call_id: 'c1', name: 'f', content: '1' },
  { role: 'tool', tool_call_id: 'c2', name: 'f', content: '2' },
];
const convert = async (document: unknown, format: string): Promise<WrittenTranscript> => {
  const { events } = await readTranscript(bytesOf(JSON.stringify(document)));
  return writeTranscript(events, { format });
};
const parsed = ({ bytes }: WrittenTranscript): unknown => JSON.parse(textOf(bytes));

describe('writing another format', () => {
  it('turns OpenAI chat into an Anthropic request', async () => {
    const written = await convert(chat, 'anthropic');
    expect(parsed(written)).toEqual({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        {
          role: 'assistant',
          content: ['c1', 'c2'].map((id) => ({ type: 'tool_use', id, name: 'f', input: { a: 1 } })),
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: '1' }] },
            { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: '2' }] },
          ],
        },
      ],
    });
    expect(written.receipt.losses).toMatchObject({ 'fields of openai-chat': 3 });
  });

  it('turns Claude Code lines into an Anthropic request without the fields of the response', async () => {
    const bytes = fileOf([
      userLine('u1', null, 'go'),
      assistantLine('a1', 'u1', { id: 'm1', content: [callBlock('t1')] }),
      assistantLine('a2', 'a1', { id: 'm1', content: [callBlock('t2')] }),
      resultLine('r1', 'a1', 't1'),
      resultLine('r2', 'a2', 't2'),
    ]);
    const { events } = await readTranscript(bytes);
    const written = await writeTranscript(events, { format: 'anthropic' });
    const { messages } = parsed(written) as { messages: { role: string }[] };
    expect(messages.map((message) => Object.keys(message))).toEqual([
      ['role', 'content'],
      ['role', 'content'],
      ['role', 'content'],
    ]);
    const canonical = messages.flatMap((message): Message[] => {
      const made = fromAnthropicMessage(message);
      return made ? [made] : [];
    });
    expect(validateMessages(canonical)).toEqual([]);
  });

  it('turns Anthropic messages into OpenAI chat and counts what it cannot hold', async () => {
    const document = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true },
          { type: 'text', text: 'so?' },
        ],
      },
    ];
    const written = await convert(document, 'openai-chat');
    expect(parsed(written)).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 't1', content: 'no' },
      { role: 'user', content: 'so?' },
    ]);
    expect(written.receipt.losses).toEqual({
      'event meta': 1,
      'block anthropic:thinking': 1,
      is_error: 1,
    });
  });

  it('gives calls whose ids a provider may refuse other ones, with their results, and says so', async () => {
    const ids = ['fine_1', 'call:1/a', 'call:1?a', 'x'.repeat(65), 'é'];
    const document = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: ids.map((id) => ({
          id,
          type: 'function',
          function: { name: 'f', arguments: '{}' },
        })),
      },
      ...ids.map((id, at) => ({ role: 'tool', tool_call_id: id, content: `result ${at}` })),
    ];
    const written = await convert(document, 'anthropic');
    expect(written.receipt.losses).toMatchObject({ 'id of a call': 4 });
    const { events, receipt } = await readTranscript(written.bytes, { format: 'anthropic' });
    expect(receipt.notes).toEqual({});
    const messages = messagesOf(events);
    expect(validateMessages(messages)).toEqual([]);
    const blocks = messages.flatMap(({ content }) => content);
    const given = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    expect(given[0]).toBe('fine_1');
    expect(new Set(given).size).toBe(5);
    for (const id of given) expect(id).toMatch(/^[\w-]{1,64}$/);
    const answered = blocks.flatMap((block) =>
      block.type === 'tool_result' ? [block.toolUseId] : [],
    );
    expect(answered).toEqual(given);
    expect((await convert(document, 'anthropic')).bytes).toEqual(written.bytes);
  });

  it('names sessions of Claude Code that begin otherwise otherwise', async () => {
    const sessionOf = async (text: string): Promise<string | undefined> => {
      const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
      const written = await writeTranscript([message], { format: 'claude-code' });
      return /"sessionId":"([\w-]+)"/.exec(textOf(written.bytes))?.[1];
    };
    expect(await sessionOf('go')).toBe(await sessionOf('go'));
    expect(await sessionOf('go')).not.toBe(await sessionOf('stop'));
  });

  it('refuses a loss where it is told to be strict', async () => {
    const { events } = await readTranscript(bytesOf(JSON.stringify(chat)));
    const writing = writeTranscript(events, { format: 'anthropic', strict: true });
    await expect(writing).rejects.toThrow(/fields of openai-chat/);
    await expect(writing).rejects.toSatisfy((error) => isCtxError(error, 'CTX_INVALID_INPUT'));
  });

  it('mends what the target would refuse, and says so', async () => {
    const written = await convert(chat.slice(0, -1), 'anthropic');
    expect(written.receipt.losses).toMatchObject({ 'repair missing-result-filled': 1 });
  });

  it('comes back the same from a round through another format', async () => {
    const there = await convert(chat, 'anthropic');
    const { events } = await readTranscript(there.bytes);
    const back = await writeTranscript(events, { format: 'openai-chat' });
    const { events: again } = await readTranscript(back.bytes);
    expect(messagesOf(again)).toHaveLength(3);
  });

  it('copies what is nested too deeply to be written, and refuses to write it anew', async () => {
    const deep = `[{"role":"user","content":"x","deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`;
    const source = bytesOf(deep);
    const { events } = await readTranscript(source);
    const copy = await writeTranscript(events, { format: 'openai-chat', source });
    expect(copy.bytes).toBe(source);
    await expect(writeTranscript(events, { format: 'openai-chat' })).rejects.toSatisfy((error) =>
      isCtxError(error, 'CTX_TOO_LARGE'),
    );
  });

  it('refuses a format that is only read, and one that does not exist', async () => {
    const readOnly = { name: 'r', detect: () => undefined, read: nothing };
    await expect(writeTranscript([], { format: readOnly })).rejects.toThrow(/read only/);
    await expect(writeTranscript([], { format: 'nope' })).rejects.toThrow(/nope/);
  });
});

async function* nothing(): AsyncGenerator<never> {
  // No events.
}

describe('writing line by line', () => {
  /** Tells how many events were asked for. */
  function slowly(events: readonly TranscriptEvent[]) {
    const asked = { events: 0 };
    async function* log(): AsyncGenerator<TranscriptEvent, void, undefined> {
      for (const event of events) {
        asked.events += 1;
        yield event;
      }
    }
    return { asked, log: log() };
  }
  const lines = Array.from({ length: 50 }, (_, index) =>
    userLine(`u${index}`, index === 0 ? null : `u${index - 1}`, `say ${index}`),
  );

  it('gives a line of Claude Code before the next event is read', async () => {
    const { events } = await readTranscript(fileOf(lines));
    const { asked, log } = slowly(events);
    const stream = streamTranscript(log, { format: 'claude-code' });
    const chunks: string[] = [];
    for await (const chunk of stream?.chunks ?? []) {
      if (chunks.length === 0) expect(asked.events).toBe(1);
      chunks.push(textOf(chunk));
    }
    expect(chunks.join('')).toBe(textOf(fileOf(lines)));
    expect(stream?.receipt()).toMatchObject({ events: 50, losses: {}, isCopy: false });
  });

  it('holds back what names no session until an event does', async () => {
    const { events } = await readTranscript(fileOf(lines));
    const { seq, lane, source } = events[0] ?? { seq: 0, lane: 'main', source: noSource };
    const message: Message = { role: 'user', content: [{ type: 'text', text: 'new' }] };
    const fresh: TranscriptEvent = { kind: 'message', seq, lane, source, message };
    const stream = streamTranscript(slowly([fresh, ...events]).log, { format: 'claude-code' });
    let text = '';
    for await (const chunk of stream?.chunks ?? []) text += textOf(chunk);
    const written = await writeTranscript([fresh, ...events], { format: 'claude-code' });
    expect(text).toBe(textOf(written.bytes));
  });

  it('is not there for documents, which begin with what comes last', () => {
    expect(streamTranscript(slowly([]).log, { format: 'anthropic' })).toBeUndefined();
  });

  it('says of a record that is nested too deeply that it is too large', async () => {
    const { events } = await readTranscript(fileOf(lines));
    const deep = JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`) as unknown;
    const [first] = events;
    const record = { ...(first?.extra?.['record'] as object), deep };
    const broken = first === undefined ? [] : [{ ...first, extra: { record } }];
    const stream = streamTranscript(slowly(broken).log, { format: 'claude-code' });
    const read = async (): Promise<void> => {
      for await (const chunk of stream?.chunks ?? []) expect(chunk.length).toBe(0);
    };
    await expect(read()).rejects.toMatchObject({ code: 'CTX_TOO_LARGE' });
  });
});

const noSource = { offset: 0, length: 0, sha256: '' };

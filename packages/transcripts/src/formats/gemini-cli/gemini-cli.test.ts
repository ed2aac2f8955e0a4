import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { messagesOf } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { linesOf, valuesOf } from '../../testing/agent-samples.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import { writeTranscript } from '../../write-transcript.ts';

const timestamp = '2026-03-01T10:00:00.000Z';
const session = { sessionId: 's', projectHash: 'h', startTime: timestamp, kind: 'main' };
const user = (id: string, content: unknown, rest: object = {}): unknown => ({
  id,
  timestamp,
  type: 'user',
  content,
  ...rest,
});
const gemini = (id: string, content: unknown, rest: object = {}): unknown => ({
  id,
  timestamp,
  type: 'gemini',
  content,
  ...rest,
});
const call = (rest: object = {}): object => ({
  id: 't1',
  name: 'read_file',
  args: { file_path: 'a' },
  status: 'success',
  timestamp,
  result: [{ functionResponse: { id: 't1', name: 'read_file', response: { output: 'x' } } }],
  resultDisplay: 'shown',
  ...rest,
});

const read = (records: readonly unknown[]): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(linesOf(records)));
const view = async (records: readonly unknown[]): Promise<string[]> =>
  messagesOf((await read(records)).events).flatMap(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text : block.type)),
  );

describe('reading Gemini CLI sessions', () => {
  it('makes of a response a message of the assistant and one with the results', async () => {
    const { events, receipt } = await read([
      session,
      user('m1', 'go', { displayContent: 'not this' }),
      gemini('m2', 'Done', { toolCalls: [call()], thoughts: [{ subject: 's', description: 'd' }] }),
    ]);
    expect(receipt).toMatchObject({ format: 'gemini-cli', bad: {}, requests: 1 });
    expect(messagesOf(events)).toMatchObject([
      { role: 'user', content: [{ text: 'go' }] },
      { role: 'assistant', content: [{ type: 'opaque' }, { text: 'Done' }, { id: 't1' }] },
      { role: 'user', content: [{ toolUseId: 't1', content: [{ text: 'x' }] }] },
    ]);
  });

  it('counts thoughts as output and takes cached tokens as a part of the input', async () => {
    const tokens = { input: 100, output: 5, cached: 80, thoughts: 3, tool: 2, total: 110 };
    const { events, receipt } = await read([
      session,
      user('1', 'go'),
      gemini('2', 'x', { tokens }),
    ]);
    const usage = { input: 102, cacheRead: 80, cacheWrite: 0, output: 8, reasoning: 3 };
    expect(requestsOf(events).requests[0]?.usage).toEqual(usage);
    expect(receipt.usage).toEqual(usage);
  });

  it('marks every status but success as an error and leaves a call without result open', async () => {
    const { events } = await read([
      session,
      user('1', 'go'),
      gemini('2', '', {
        toolCalls: [call({ status: 'cancelled' }), call({ id: 't2', result: null })],
      }),
    ]);
    const [, calls, results] = messagesOf(events);
    expect(calls?.content).toHaveLength(2);
    expect(results?.content).toMatchObject([{ toolUseId: 't1', isError: true }]);
  });

  it('takes a record with the same id as an update at the place of the first', async () => {
    const records = [
      session,
      user('1', 'go'),
      gemini('2', 'work', { toolCalls: [call({ result: undefined, status: 'executing' })] }),
      gemini('2', 'work', { toolCalls: [call()] }),
      gemini('3', 'done'),
    ];
    expect(await view(records)).toEqual(['go', 'work', 'tool_use', 'tool_result', 'done']);
    expect((await read(records)).receipt.requests).toBe(2);
  });

  it('takes messages back with a rewind: that one and all later ones', async () => {
    const records = [session, user('1', 'a'), gemini('2', 'b'), user('3', 'c'), gemini('4', 'd')];
    const rewound = [...records, { $rewindTo: '3' }, user('5', 'e')];
    expect(await view(rewound)).toEqual(['a', 'b', 'e']);
    const { receipt } = await read(rewound);
    expect(receipt.rewinds).toBe(1);
    expect(receipt.notes).toEqual({});
  });

  it('clears everything with a rewind to an unknown id, and says so', async () => {
    const records = [session, user('1', 'a'), gemini('2', 'b'), { $rewindTo: 'x' }, user('3', 'c')];
    expect(await view(records)).toEqual(['c']);
    const { receipt } = await read(records);
    expect(receipt.notes).toEqual({ 'rewind to an unknown id clears everything': 1 });
  });

  it('replaces the history with the messages of a $set', async () => {
    const records = [
      session,
      user('1', 'a'),
      gemini('2', 'b'),
      { $set: { messages: [user('9', 'summary of a and b'), gemini('2', 'b')] } },
      { $set: { lastUpdated: timestamp } },
      user('3', 'c'),
    ];
    expect(await view(records)).toEqual(['summary of a and b', 'b', 'c']);
    const { events, receipt } = await read(records);
    expect(receipt.boundaries).toBe(1);
    expect(valuesOf((await writeTranscript(events, { format: 'gemini-cli' })).bytes)).toEqual(
      records,
    );
  });

  it('keeps what was only shown as meta and puts a sub-agent into a lane of its own', async () => {
    const { events, receipt } = await read([
      { ...session, sessionId: 'sub', kind: 'subagent' },
      { id: '1', timestamp, type: 'info', content: 'Welcome' },
      user('2', 'go'),
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['meta', 'meta', 'message']);
    expect(receipt.lanes).toEqual(['sub']);
  });

  it('reads the one object of older versions, pretty-printed or not', async () => {
    const document = {
      ...session,
      messages: [
        user('1', 'go'),
        gemini('2', 'x', { toolCalls: [call()] }),
        { id: '3', type: 'error', content: 'e' },
      ],
      summary: 'later field',
    };
    for (const space of [0, 2]) {
      const text = JSON.stringify(document, undefined, space);
      const { events, receipt } = await readTranscript(bytesOf(text));
      expect(receipt).toMatchObject({ format: 'gemini-cli', bad: {}, messages: 3 });
      const again = await writeTranscript(events, { format: 'gemini-cli' });
      expect(JSON.parse(textOf(again.bytes))).toEqual(document);
    }
  });

  it('gives every record back without the source', async () => {
    const records = [
      session,
      user('1', ['a', { text: 'b' }, { inlineData: { mimeType: 'image/png', data: 'x' } }]),
      user('2', { text: 'one part' }),
      user('3', ''),
      user('4', [{ functionResponse: { id: 't1', name: 'f', response: { a: 1 } } }]),
      gemini('5', [{ text: 'x', thought: true }], { toolCalls: [7, { id: 't' }], thoughts: 'odd' }),
      gemini('6', '', {
        toolCalls: [call({ result: 'text', status: 'error' }), call({ args: undefined })],
      }),
      gemini('7', 'x', {
        toolCalls: [call({ result: [{ functionResponse: { response: { error: 'e' } } }] })],
      }),
      { type: 'gemini' },
      { $rewindTo: 7 },
      { $set: { messages: 'none' } },
      { unheard: 'of' },
    ].map((record): unknown => JSON.parse(JSON.stringify(record)));
    const { events, receipt } = await read(records);
    expect(receipt.bad).toEqual({});
    expect(valuesOf((await writeTranscript(events, { format: 'gemini-cli' })).bytes)).toEqual(
      records,
    );
  });
});

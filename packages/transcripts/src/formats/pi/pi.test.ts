import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { messagesOf } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { linesOf, valuesOf } from '../../testing/agent-samples.ts';
import { bytesOf } from '../../testing/text-source.ts';
import { writeTranscript } from '../../write-transcript.ts';

const timestamp = '2026-03-01T10:00:00.000Z';
const session = { type: 'session', version: 3, id: 'S', timestamp, cwd: '/p' };
const entry = (id: string, parentId: string | null, message: unknown): unknown => ({
  type: 'message',
  id,
  parentId,
  timestamp,
  message,
});
const user = (text: string): unknown => ({ role: 'user', content: text, timestamp: 1 });
const answer = (content: readonly unknown[], rest: object = {}): unknown => ({
  role: 'assistant',
  content,
  api: 'anthropic-messages',
  model: 'm-1',
  usage: { input: 3, output: 40, cacheRead: 100, cacheWrite: 7, cost: { total: 0.1 } },
  stopReason: 'stop',
  ...rest,
});
const call = { type: 'toolCall', id: 't1', name: 'read', arguments: { path: 'a' } };
const result = {
  role: 'toolResult',
  toolCallId: 't1',
  toolName: 'read',
  content: [{ type: 'text', text: 'x' }],
  details: { n: 1 },
  isError: false,
};

const read = (records: readonly unknown[]): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(linesOf(records)));
const view = async (records: readonly unknown[]): Promise<string[]> =>
  messagesOf((await read(records)).events).flatMap(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text : block.type)),
  );

describe('reading pi sessions', () => {
  it('reads calls, results and usage, cached tokens added to the input', async () => {
    const { events, receipt } = await read([
      session,
      entry('1', null, user('go')),
      entry('2', '1', answer([{ type: 'thinking', thinking: 'hm', thinkingSignature: 's' }, call])),
      entry('3', '2', result),
      entry('4', '3', answer([{ type: 'text', text: 'done' }])),
    ]);
    expect(receipt).toMatchObject({ format: 'pi', bad: {}, requests: 2 });
    expect(requestsOf(events).requests[0]).toMatchObject({
      model: 'm-1',
      usage: { input: 110, cacheRead: 100, cacheWrite: 7, output: 40 },
    });
    expect(requestsOf(events).messages[1]?.content).toMatchObject([
      { type: 'opaque', format: 'pi:thinking' },
      { type: 'tool_use', id: 't1', input: { path: 'a' } },
    ]);
  });

  it('reads entries without ids, as version 1 has them, in the order of the file', async () => {
    const records = [
      { type: 'session', id: 'S', timestamp, cwd: '/p' },
      { type: 'message', timestamp, message: user('a') },
      { type: 'model_change', timestamp, provider: 'p', modelId: 'm' },
      { type: 'message', timestamp, message: answer([{ type: 'text', text: 'b' }]) },
    ];
    expect(await view(records)).toEqual(['a', 'b']);
  });

  it('shows the branch that was taken last, not the one that was left', async () => {
    const records = [
      session,
      entry('1', null, user('a')),
      entry('2', '1', answer([{ type: 'text', text: 'left' }])),
      entry('3', '1', answer([{ type: 'text', text: 'taken' }])),
      entry('4', '3', user('on')),
    ];
    expect(await view(records)).toEqual(['a', 'taken', 'on']);
  });

  it('shows a compaction as its summary and what it kept', async () => {
    const records = [
      session,
      entry('1', null, user('old')),
      entry('2', '1', answer([{ type: 'text', text: 'older' }])),
      entry('3', '2', user('kept')),
      entry('4', '3', answer([{ type: 'text', text: 'kept too' }])),
      {
        type: 'compaction',
        id: '5',
        parentId: '4',
        timestamp,
        summary: 'sum',
        firstKeptEntryId: '3',
        tokensBefore: 9,
      },
      entry('6', '5', user('next')),
    ];
    expect(await view(records)).toEqual(['sum', 'kept', 'kept too', 'next']);
    const { events } = await read(records);
    expect(events.find(({ boundary }) => boundary)?.boundary?.tokensBefore).toBe(9);
  });

  it('marks aborted and failed answers, and keeps commands the user ran', async () => {
    const { events } = await read([
      session,
      entry('1', null, { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 0 }),
      entry('2', '1', answer([], { stopReason: 'aborted', errorMessage: 'stopped' })),
    ]);
    expect(events[1]?.message?.content).toMatchObject([{ text: 'Ran `ls`\na' }]);
    expect(events[2]?.flags).toEqual({ error: true });
  });

  it('survives cycles and dangling parents in the tree', async () => {
    const records = [
      session,
      entry('1', '2', user('a')),
      entry('2', '1', answer([{ type: 'text', text: 'b' }])),
      { type: 'compaction', id: '3', parentId: '2', summary: 's', firstKeptEntryId: 'nowhere' },
      entry('4', 'gone', user('c')),
    ];
    expect((await view(records)).at(-1)).toBe('c');
  });

  it('gives every record back without the source', async () => {
    const records = [
      session,
      entry('1', null, user('')),
      entry(
        '2',
        '1',
        answer([call, { type: 'toolCall', id: 7 }, 'odd', { type: 'image', data: 'x' }]),
      ),
      entry('3', '2', { ...result, isError: 'no' }),
      entry('4', '3', result),
      {
        type: 'custom_message',
        id: '5',
        parentId: '4',
        customType: 'x',
        content: 'note',
        display: true,
      },
      { type: 'custom', id: '6', parentId: '5', data: { a: 1 } },
      { type: 'branch_summary', id: '7', parentId: '6', summary: 'left', fromId: '2' },
      { type: 'compaction', id: '8', parentId: '7', summary: 7, firstKeptEntryId: '1' },
      { type: 'label', id: '9', parentId: '8', targetId: '1', label: 'here' },
      { type: 'message', id: '10' },
    ];
    const { events, receipt } = await read(records);
    expect(receipt.bad).toEqual({});
    const again = await writeTranscript(events, { format: 'pi' });
    expect(again.receipt.losses).toEqual({});
    expect(valuesOf(again.bytes)).toEqual(records);
  });
});

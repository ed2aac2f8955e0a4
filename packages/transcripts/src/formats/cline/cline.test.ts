import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { writeTranscript } from '../../write-transcript.ts';
import { usageOfClineTask } from './cline-usage.ts';
import { viewOfTask } from './cline-view.ts';

const text = (role: string, value: string, rest: object = {}): object => ({
  role,
  content: [{ type: 'text', text: value }],
  ts: 1,
  ...rest,
});
const call = (id: string): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'read_file', input: { path: 'a.ts' } }],
  ts: 2,
});
const result = (id: string, value = 'x'): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: value }],
  ts: 3,
});
const read = async (task: unknown): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(JSON.stringify(task)));
const eventsOf = async (task: unknown): Promise<readonly TranscriptEvent[]> =>
  (await read(task)).events;
const shown = (events: readonly TranscriptEvent[]): string[] =>
  events.flatMap(({ message }) =>
    (message?.content ?? []).map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type !== 'tool_result') return block.type;
      const [first] = block.content;
      return first?.type === 'text' ? first.text : block.type;
    }),
  );

describe('reading tasks of Cline and Roo', () => {
  const task = [
    text('user', 'task'),
    text('assistant', 'a'),
    call('t1'),
    result('t1'),
    call('t2'),
    result('t2', 'y'),
  ];

  it('tells them from Anthropic messages by ts, and Roo by its marks', async () => {
    expect((await read(task)).receipt).toMatchObject({ format: 'cline', bad: {} });
    const roo = [...task, text('user', 's', { isSummary: true, condenseId: 'c' })];
    expect((await read(roo)).receipt).toMatchObject({ format: 'roo', bad: {} });
    const plain = task.map((message) => ({ ...message, ts: undefined }));
    expect((await read(plain)).receipt.format).toBe('anthropic');
  });

  it('gives the array back as it was, whole: ranges and edits lie in other files', async () => {
    const odd = [
      ...task,
      text('assistant', 'x', {
        modelInfo: { modelId: 'm' },
        metrics: { tokens: { prompt: 5, cached: 2, completion: 1 } },
      }),
      { type: 'reasoning', encrypted_content: 'e' },
    ];
    const { events, receipt } = await read(odd);
    expect(receipt.bad).toEqual({ 'not-message': 1 });
    expect(events.find(({ model }) => model === 'm')?.usage?.input).toBe(7);
    const again = await writeTranscript(events, { format: 'cline' });
    expect(JSON.parse(textOf(again.bytes))).toEqual(JSON.parse(JSON.stringify(odd)));
  });

  it('shows the first two messages and those after the range, of which only the end is read', async () => {
    const { events } = viewOfTask(await eventsOf(task), { agent: 'cline', deletedRange: [99, 3] });
    expect(shown(events)).toEqual(['task', 'a', 'tool_use', 'y']);
  });

  it('removes results of deleted calls from the first kept message', async () => {
    const { events } = viewOfTask(await eventsOf(task), { agent: 'cline', deletedRange: [2, 2] });
    expect(shown(events)).toEqual(['task', 'a', 'tool_use', 'y']);
  });

  it('shows the newest text of an edit, at the indices of the file', async () => {
    const contextHistory = [
      [
        3,
        [
          1,
          [
            [
              0,
              [
                [1, 'text', ['old'], []],
                [2, 'text', ['short', 'not used'], []],
              ],
            ],
          ],
        ],
      ],
    ];
    const { events, notUnderstood } = viewOfTask(await eventsOf(task), {
      agent: 'cline',
      contextHistory,
    });
    expect(shown(events)).toContain('short');
    expect(notUnderstood).toEqual([]);
  });

  it.each([[{ torn: 1 }], [[[3]]], [[[3, [1, [[0, [[1, 'image', ['x']]]]]]]]]])(
    'sets a corrupt edit aside instead of taking it for none: %j',
    async (contextHistory) => {
      const view = viewOfTask(await eventsOf(task), { agent: 'cline', contextHistory });
      expect(view.notUnderstood).toHaveLength(1);
      expect(view.events).toHaveLength(6);
    },
  );

  it('shows of Roo what follows the last summary, without results of removed calls', async () => {
    const roo = [
      text('user', 'old', { condenseParent: 'c' }),
      { ...call('t1'), condenseParent: 'c' },
      text('user', 'sum', { isSummary: true, condenseId: 'c' }),
      result('t1'),
      text('assistant', 'next'),
    ];
    expect(shown(viewOfTask(await eventsOf(roo), { agent: 'roo' }).events)).toEqual([
      'sum',
      'next',
    ]);
  });

  it('hides nothing by marks whose summary or marker is gone', async () => {
    const roo = [
      text('user', 'a', { condenseParent: 'gone' }),
      text('assistant', 'b', { truncationParent: 'here' }),
      text('user', 'c', { truncationParent: 'nowhere' }),
      text('user', 'marker', { isTruncationMarker: true, truncationId: 'here' }),
    ];
    expect(shown(viewOfTask(await eventsOf(roo), { agent: 'roo' }).events)).toEqual([
      'a',
      'c',
      'marker',
    ]);
  });

  it('reads usage from JSON text among what was shown, cached tokens added', () => {
    const started = (figures: unknown): unknown => ({
      ts: 1,
      type: 'say',
      say: 'api_req_started',
      text: typeof figures === 'string' ? figures : JSON.stringify(figures),
    });
    expect(
      usageOfClineTask([
        started({ tokensIn: 10, tokensOut: 5, cacheWrites: 100, cacheReads: 1_000, cost: 0.1 }),
        started({ request: 'still running' }),
        started('{"torn'),
        { type: 'say', say: 'text', text: 'x' },
      ]),
    ).toEqual([{ input: 1_110, cacheRead: 1_000, cacheWrite: 100, output: 5 }]);
    expect(usageOfClineTask('torn')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { clearedResultText, messagesOf } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf, collect } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import {
  openCodeSessionIds,
  type Row,
  readOpenCodeDatabase,
  readOpenCodeFolder,
} from './opencode-source.ts';

interface Exchanged {
  readonly info: Readonly<Record<string, unknown>>;
  readonly parts: readonly unknown[];
}
const user = (id: string, parts: readonly unknown[], rest: object = {}): Exchanged => ({
  info: { id, role: 'user', time: { created: 5 }, ...rest },
  parts,
});
const assistant = (id: string, parts: readonly unknown[], rest: object = {}): Exchanged => ({
  info: { id, role: 'assistant', modelID: 'm', time: { created: 6 }, ...rest },
  parts,
});
const text = (value: string, rest: object = {}): unknown => ({
  type: 'text',
  text: value,
  ...rest,
});
const tool = (id: string, state: object): unknown => ({
  type: 'tool',
  callID: id,
  tool: 'read',
  state,
});
const done = (output: string, time: object = {}): object => ({
  status: 'completed',
  input: { filePath: 'a.ts' },
  output,
  time,
});
const finish = (output: number): unknown => ({
  type: 'step-finish',
  tokens: { input: 10, output, reasoning: 2, cache: { read: 100, write: 7 } },
});

const read = (
  messages: readonly Exchanged[],
  session: object = {},
): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(JSON.stringify({ info: { id: 'ses_1', ...session }, messages })));
const shown = (events: readonly TranscriptEvent[]): string[] =>
  messagesOf(events).flatMap(({ content }) =>
    content.map((block) => {
      if (block.type === 'text') return block.text;
      const [first] = block.type === 'tool_result' ? block.content : [];
      return first?.type === 'text' ? first.text : block.type;
    }),
  );

describe('reading sessions of opencode', () => {
  it('makes of each step a response with its results and its usage', async () => {
    const { events, receipt } = await read([
      user('msg_1', [text('go')]),
      assistant(
        'msg_2',
        [
          { type: 'step-start' },
          { type: 'reasoning', text: 'hm' },
          tool('c1', done('x')),
          finish(3),
          { type: 'step-start' },
          tool('c2', { status: 'error', input: {}, error: 'no' }),
          finish(4),
        ],
        { tokens: { input: 1, output: 1 } },
      ),
    ]);
    expect(receipt).toMatchObject({ format: 'opencode', bad: {}, requests: 2 });
    const { messages, requests } = requestsOf(events);
    expect(messages).toMatchObject([
      { role: 'user' },
      { content: [{ type: 'opaque', format: 'opencode:reasoning' }, { id: 'c1' }] },
      { content: [{ toolUseId: 'c1' }] },
      { content: [{ id: 'c2' }] },
      { content: [{ toolUseId: 'c2', isError: true }] },
    ]);
    const usage = { input: 117, cacheRead: 100, cacheWrite: 7, reasoning: 2 };
    expect(requests.map((request) => request.usage)).toEqual([
      { ...usage, output: 3 },
      { ...usage, output: 4 },
    ]);
  });

  it('marks the result of a command that ended with another code than 0', async () => {
    const exited = (id: string, exit: unknown): unknown =>
      tool(id, { ...done('said'), metadata: { exit } });
    const { events } = await read([
      user('msg_1', [text('go')]),
      assistant('msg_2', [exited('c1', 0), exited('c2', 1), exited('c3', null), exited('c4', -1)]),
    ]);
    const results = messagesOf(events).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.isError] : [])),
    );
    expect(results).toEqual([undefined, true, undefined, true]);
  });

  it('leaves calls that wait or run without a result', async () => {
    const { events } = await read([
      user('msg_1', [text('go')]),
      assistant('msg_2', [
        tool('c1', { status: 'running', input: {} }),
        tool('c2', { status: 'pending' }),
      ]),
    ]);
    expect(shown(events)).toEqual(['go', 'tool_use', 'tool_use']);
  });

  it('clears a result in the view that was compacted, and keeps its text', async () => {
    const { events } = await read([
      user('msg_1', [text('go')]),
      assistant('msg_2', [tool('c1', done('long', { compacted: 9 }))]),
    ]);
    expect(shown(events)).toEqual(['go', 'tool_use', clearedResultText]);
    expect(JSON.stringify(requestsOf(events).messages)).toContain('long');
  });

  it('hides ignored text and messages from the revert on, and flags synthetic ones', async () => {
    const { events } = await read(
      [
        user('msg_1', [text('a'), text('not this', { ignored: true })]),
        user('msg_2', [text('made', { synthetic: true })]),
        assistant('msg_3', [text('taken back')]),
        user('msg_4', [text('this too')]),
      ],
      { revert: { messageID: 'msg_3' } },
    );
    expect(shown(events)).toEqual(['a', 'made']);
    expect(events.some(({ flags }) => flags?.synthetic === true)).toBe(true);
  });

  it('shows after a compaction its finished summary and the tail', async () => {
    const before = [
      user('msg_1', [text('old')]),
      assistant('msg_2', [text('older')]),
      user('msg_3', [text('tail')]),
      assistant('msg_4', [text('tail too')]),
      user('msg_5', [{ type: 'compaction', auto: true, tail_start_id: 'msg_3' }]),
    ];
    const summary = (rest: object): Exchanged =>
      assistant('msg_6', [text('sum')], { summary: true, ...rest });
    const after = [user('msg_7', [text('next')])];
    const finished = await read([...before, summary({ finish: 'stop' }), ...after]);
    expect(shown(finished.events)).toEqual(['sum', 'tail', 'tail too', 'next']);
    expect(finished.receipt.boundaries).toBe(1);
    for (const rest of [{}, { finish: 'stop', error: { name: 'x' } }]) {
      const failed = await read([...before, summary(rest), ...after]);
      expect(failed.receipt.boundaries).toBe(0);
      expect(shown(failed.events)).toContain('old');
    }
  });

  it('puts the session of a sub-agent into a lane of its own and keeps every part', async () => {
    const parts = [{ type: 'patch', hash: 'h', files: [] }, { type: 'snapshot', snapshot: 's' }, 7];
    const { events, receipt } = await read([assistant('msg_1', [text('x'), ...parts])], {
      parentID: 'ses_0',
    });
    expect(receipt.lanes).toEqual(['ses_1']);
    expect(events[1]?.extra?.['parts']).toEqual([
      { type: 'text' },
      ...parts.slice(0, 2),
      { value: 7 },
    ]);
  });
});

const messages = [
  user('msg_1', [text('go')]),
  assistant('msg_2', [text('one'), tool('c1', done('x'))]),
];
const withIds = messages.map(({ info, parts }, place) => ({
  info,
  parts: parts.map((part, index) => ({ id: `prt_${place}_${index}`, part })),
}));

describe('reading opencode where it keeps its sessions', () => {
  it('asks a database with bound values and gives what an export gives', async () => {
    const asked: string[] = [];
    const query = (sql: string, values: readonly string[]): Row[] => {
      asked.push(sql);
      if (sql.startsWith('SELECT id FROM session')) return [{ id: 'ses_1' }];
      if (sql.includes('FROM session')) return [{ id: 'ses_1', revert: null, title: 't' }];
      const json = (id: unknown, data: unknown): Row => ({ id, data: JSON.stringify(data) });
      if (sql.includes('FROM message')) {
        return withIds.map(({ info: { id, ...info } }) => json(id, info));
      }
      const parts = withIds.find(({ info }) => info['id'] === values[0])?.parts ?? [];
      return [...parts.map(({ id, part }) => json(id, part)), { id: 'torn', data: '{"type":"te' }];
    };
    expect(await openCodeSessionIds(query)).toEqual(['ses_1']);
    const transcript = readOpenCodeDatabase(query, "ses_1' OR 1=1");
    const events = await collect(transcript.events);
    expect(shown(events)).toEqual(['go', 'one', 'tool_use', 'x']);
    expect(transcript.receipt().notes).toEqual({ 'row that does not read': 2 });
    expect(asked.some((sql) => sql.includes('ses_1'))).toBe(false);
  });

  it('reads the folder of an older version, of which a part may be half written', async () => {
    const files = new Map<string, string>([
      ['session/p/ses_1.json', '{"id":"ses_1","projectID":"p"}'],
      ...withIds.map(({ info }): [string, string] => [
        `message/ses_1/${String(info['id'])}.json`,
        JSON.stringify(info),
      ]),
      ...withIds.flatMap(({ info, parts }) =>
        parts.map(({ id, part }): [string, string] => [
          `part/${String(info['id'])}/${id}.json`,
          JSON.stringify(part),
        ]),
      ),
      ['part/msg_2/prt_9.json', '{"type":"text","te'],
    ]);
    const folder = {
      list: (path: string) =>
        Promise.resolve(
          [...files.keys()]
            .filter((name) => name.startsWith(`${path}/`))
            .map((name) => name.slice(path.length + 1)),
        ),
      read: (path: string) => Promise.resolve(bytesOf(files.get(path) ?? '')),
    };
    const transcript = readOpenCodeFolder(folder, { projectId: 'p', sessionId: 'ses_1' });
    expect(shown(await collect(transcript.events))).toEqual(['go', 'one', 'tool_use', 'x']);
    expect(transcript.receipt().notes).toEqual({ 'file that does not read': 1 });
  });
});

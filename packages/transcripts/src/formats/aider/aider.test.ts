import { describe, expect, it } from 'vitest';
import { historyOf } from '../../history/lane-history.ts';
import { requestsOf } from '../../history/requests-of.ts';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf } from '../../testing/text-source.ts';

const heading = '# aider chat started at 2026-03-01 10:00:00';
const read = (lines: readonly string[]): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(lines.join('\n')));
const spoken = async (lines: readonly string[], lane?: string): Promise<string[][]> => {
  const { events } = await read(lines);
  return historyOf(events, lane === undefined ? {} : { lane }).entries.map(({ message }) => [
    message.role,
    ...message.content.map((block) => (block.type === 'text' ? block.text : '')),
  ]);
};

describe('reading chat histories of aider', () => {
  it('tells user, answer and console by how their lines begin', async () => {
    const lines = [
      heading,
      '',
      '> Aider v1',
      '#### add a flag  ',
      '#### please  ',
      '',
      "I'll add it:",
      '',
      '    indented',
      '> Commit abc',
    ];
    expect(await spoken(lines)).toEqual([
      ['user', 'add a flag\nplease'],
      ['assistant', "I'll add it:\n\n    indented"],
    ]);
    const { receipt, events } = await read(lines);
    expect(receipt).toMatchObject({ format: 'aider', bad: {}, requests: 1 });
    expect(events.filter(({ kind }) => kind === 'meta').map(({ extra }) => extra)).toEqual([
      { heading },
      { console: '> Aider v1' },
      { console: '> Commit abc' },
    ]);
  });

  it('starts a session at that one heading only: other headings belong to answers', async () => {
    const lines = [heading, '#### a', '# Plan', '## Step', heading, '#### b', 'x'];
    expect(await spoken(lines, 'run-1')).toEqual([
      ['user', 'a'],
      ['assistant', '# Plan\n## Step'],
    ]);
    expect(await spoken(lines, 'run-2')).toEqual([
      ['user', 'b'],
      ['assistant', 'x'],
    ]);
  });

  it('keeps what stands before the first heading', async () => {
    const lines = ['#### earlier', 'answer', heading, '#### later'];
    expect(await spoken(lines)).toEqual([
      ['user', 'earlier'],
      ['assistant', 'answer'],
    ]);
  });

  it.each([
    [
      '> Tokens: 5,244 sent, 604 received. Cost: $0.02 request.',
      { input: 5_244, output: 604, cacheRead: 0, cacheWrite: 0 },
    ],
    [
      '> Tokens: 2.4k sent, 1,278 cached, 50 received.',
      { input: 2_400, output: 50, cacheRead: 1_278, cacheWrite: 0 },
    ],
    [
      '> Tokens: 1.2M sent, 3k cache write, 2k cache hit, 7 received. Cost: $9',
      { input: 1_200_000, output: 7, cacheRead: 2_000, cacheWrite: 3_000 },
    ],
  ])('reads the usage of %j', async (line, usage) => {
    const { events, receipt } = await read([heading, '#### a', 'b', line]);
    expect(receipt.usage).toEqual(usage);
    expect(requestsOf(events).requests[0]?.usage).toEqual(usage);
  });

  it('takes lines in an open code fence as part of the answer, and counts them', async () => {
    const answer = ['````md', '> quoted', '#### titled', '```', 'x', '````'];
    const lines = [heading, '#### a', ...answer, '> Commit abc'];
    expect(await spoken(lines)).toEqual([
      ['user', 'a'],
      ['assistant', answer.join('\n')],
    ]);
    const { receipt } = await read(lines);
    expect(receipt.notes).toEqual({ 'ambiguous line in a code fence': 2 });
  });

  it.each(['####', '#### ', '####  \r'])(
    'keeps a prompt without words, %j, as a record',
    async (line) => {
      const { events, receipt } = await read([heading, line, heading, '#### a', 'b']);
      expect(receipt.bad).toEqual({});
      expect(events[1]).toMatchObject({
        kind: 'meta',
        lane: 'run-1',
        extra: { prompt: '' },
        source: { offset: heading.length + 1, length: line.length },
      });
      expect(await spoken([heading, line, heading, '#### a', 'b'], 'run-1')).toEqual([]);
    },
  );

  it('reads files with carriage returns', async () => {
    expect(await spoken([`${heading}\r`, '#### a  \r', 'b\r', 'c\r'])).toEqual([
      ['user', 'a'],
      ['assistant', 'b\nc'],
    ]);
  });
});

import { type Message, repairMessages, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCallAliases } from '../../calls/call-aliases.ts';
import { requestsOf } from '../../history/requests-of.ts';
import { messagesOf, viewAt } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { anyMessage } from '../../testing/any-message.ts';
import {
  assistantLine,
  boundaryLine,
  callBlock,
  fileOf,
  otherLine,
  resultLine,
  textBlock,
  userLine,
} from '../../testing/claude-code-lines.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { writeTranscript } from '../../write-transcript.ts';

type Lines = Parameters<typeof fileOf>[0];
const read = async (lines: Lines): Promise<readonly TranscriptEvent[]> =>
  (await readTranscript(fileOf(lines))).events;
const idsInView = async (lines: Lines): Promise<string[]> => {
  const { entries } = viewAt(await read(lines), Number.POSITIVE_INFINITY);
  return entries.flatMap(({ events }) => events.map(({ id }) => id ?? ''));
};
const usage = (output: number): Record<string, number> => ({
  input_tokens: 3,
  cache_creation_input_tokens: 90,
  cache_read_input_tokens: 400,
  output_tokens: output,
});
const opening = userLine('u1', null, 'fix the test');
const call = assistantLine('a1', 'u1', { id: 'm1', content: [callBlock('t1')], usage: usage(1) });

describe('reading Claude Code files', () => {
  it('keeps the log in file order though times run backwards', async () => {
    const lines = [
      userLine('u1', null, 'a', { timestamp: '2026-01-02T00:00:00Z' }),
      userLine('u2', 'u1', 'b', { timestamp: '2026-01-01T00:00:00Z' }),
    ];
    const { events, receipt } = await readTranscript(fileOf(lines));
    expect(events.map(({ id, seq }) => [id, seq])).toEqual([
      ['u1', 0],
      ['u2', 1],
    ]);
    expect(receipt.firstAt).toBe(Date.parse('2026-01-01T00:00:00Z'));
    expect(receipt.lastAt).toBe(Date.parse('2026-01-02T00:00:00Z'));
  });

  it('makes one message of a response in several lines, also with other lines between', async () => {
    const events = await read([
      opening,
      assistantLine('a1', 'u1', { id: 'm1', content: [textBlock('I run both')] }),
      assistantLine('a2', 'a1', { id: 'm1', content: [callBlock('t1')] }),
      resultLine('r1', 'a2', 't1'),
      assistantLine('a3', 'a2', { id: 'm1', content: [callBlock('t2')] }),
      resultLine('r2', 'a3', 't2'),
    ]);
    const { messages, requests } = requestsOf(events);
    expect(messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result']],
    ]);
    expect(requests).toHaveLength(1);
    expect(validateMessages(messages)).toEqual([]);
  });

  it('takes the usage of a response once, the last of its lines', async () => {
    const { events, receipt } = await readTranscript(
      fileOf([
        opening,
        assistantLine('a1', 'u1', { id: 'm1', content: [textBlock('x')], usage: usage(1) }),
        otherLine('progress', 'p1', 'a1'),
        assistantLine('a2', 'a1', { id: 'm1', content: [callBlock('t1')], usage: usage(70) }),
        resultLine('r1', 'a2', 't1'),
      ]),
    );
    expect(events.map((event) => event.usage?.output)).toEqual([
      undefined,
      undefined,
      undefined,
      70,
      undefined,
    ]);
    expect(receipt.usage).toEqual({ input: 493, cacheRead: 400, cacheWrite: 90, output: 70 });
    expect(receipt.requests).toBe(1);
  });

  it('never uses stop_reason, which is null on most lines', async () => {
    const events = await read([opening, call, resultLine('r1', 'a1', 't1')]);
    expect(requestsOf(events).requests).toHaveLength(1);
  });

  it('puts side chains into lanes of their own, by agent or by their parents', async () => {
    const side = { isSidechain: true };
    const lines = [
      opening,
      userLine('s1', null, 'look it up', side),
      assistantLine('s2', 's1', { id: 'm9', content: [textBlock('found')] }, side),
      userLine('g1', null, 'other', { ...side, agentId: 'agent-7' }),
      assistantLine('a1', 'u1', { id: 'm1', content: [textBlock('done')] }),
    ];
    const { events, receipt } = await readTranscript(fileOf(lines));
    expect(receipt.lanes).toEqual(['main', 'sidechain-s1', 'agent-7']);
    expect(messagesOf(events)).toHaveLength(2);
    expect(messagesOf(events, { lane: 'sidechain-s1' })).toHaveLength(2);
  });

  it('reads a file that holds nothing but a side chain', async () => {
    const events = await read([userLine('g1', null, 'go', { isSidechain: true, agentId: 'x' })]);
    expect(messagesOf(events)).toHaveLength(1);
  });

  it('takes unknown types as meta, and a leaf that is not in the file for a title only', async () => {
    const { events, receipt } = await readTranscript(
      fileOf([
        { type: 'summary', summary: 'Fixing', leafUuid: 'elsewhere' },
        { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
        opening,
        { type: 'from-the-future', x: 1 },
      ]),
    );
    expect(events.map(({ kind }) => kind)).toEqual(['meta', 'meta', 'message', 'meta']);
    expect(receipt.bad).toEqual({});
  });

  it('names synthetic, scaffold, error and hidden messages', async () => {
    const events = await read([
      userLine('u1', null, '<caveat>', { isMeta: true }),
      assistantLine(
        'a1',
        'u1',
        { id: 'x', model: '<synthetic>', content: [textBlock('API Error')] },
        { isApiErrorMessage: true },
      ),
      userLine('u2', 'a1', 'note', { isVisibleInTranscriptOnly: true }),
    ]);
    expect(events.map(({ flags }) => flags)).toEqual([
      { scaffold: true },
      { error: true, synthetic: true },
      { hidden: true },
    ]);
    expect(requestsOf(events).requests).toEqual([]);
    expect(messagesOf(events)).toHaveLength(2);
  });

  it('leaves the rich copy of a result in the file', async () => {
    const [event] = await read([resultLine('r1', null, 't1')]);
    expect(JSON.stringify(event)).not.toContain('much more');
    expect(event?.extra?.['toolUseResult']).toBe(true);
  });

  it('splits records glued on one line and keeps a torn last line apart', async () => {
    const glued = JSON.stringify(opening) + JSON.stringify(call);
    const { events, receipt } = await readTranscript(bytesOf(`${glued}\n{"type":"user","uu`));
    expect(events.map(({ id, kind }) => [id, kind])).toEqual([
      ['u1', 'message'],
      ['a1', 'message'],
      [undefined, 'meta'],
    ]);
    expect(receipt.bad).toEqual({ 'torn-tail': 1 });
    expect(receipt.notes).toEqual({ 'records glued on one line': 1 });
  });

  it('goes on after bad lines and says where they are', async () => {
    const good = JSON.stringify(opening);
    const { events, receipt } = await readTranscript(bytesOf(`${good}\nnot json\n[1]\n${good}\n`));
    expect(events).toHaveLength(4);
    expect(receipt.bad).toEqual({ 'not-json': 1, 'not-object': 1 });
    expect(receipt.quarantine[0]).toEqual({
      reason: 'not-json',
      offset: good.length + 1,
      length: 8,
    });
  });
});

describe('the view of a Claude Code file', () => {
  it('goes through progress and system lines, on which messages hang', async () => {
    expect(
      await idsInView([
        opening,
        otherLine('progress', 'p1', 'u1'),
        assistantLine('a1', 'p1', { id: 'm1', content: [textBlock('x')] }),
      ]),
    ).toEqual(['u1', 'a1']);
  });

  it('holds the results of parallel calls, which are siblings off the chain', async () => {
    const lines = [
      opening,
      assistantLine('a1', 'u1', { id: 'm1', content: [callBlock('t1')] }),
      assistantLine('a2', 'a1', { id: 'm1', content: [callBlock('t2')] }),
      resultLine('r1', 'a1', 't1'),
      resultLine('r2', 'a2', 't2'),
      assistantLine('a3', 'r2', { id: 'm2', content: [textBlock('both done')] }),
    ];
    expect(await idsInView(lines)).toEqual(['u1', 'a1', 'a2', 'r1', 'r2', 'a3']);
    expect(validateMessages(messagesOf(await read(lines)))).toEqual([]);
  });

  it('pairs by the line of the call before it pairs by ids', async () => {
    const lines = [
      opening,
      call,
      resultLine('r1', 'u1', 'renamed', { sourceToolAssistantUUID: 'a1' }),
      assistantLine('a2', 'a1', { id: 'm2', content: [textBlock('x')] }),
    ];
    expect(await idsInView(lines)).toContain('r1');
  });

  it('leaves out a branch that was given up', async () => {
    const lines = [
      opening,
      assistantLine('a1', 'u1', { id: 'm1', content: [textBlock('wrong')] }),
      userLine('u2', 'u1', 'another way'),
      assistantLine('a2', 'u2', { id: 'm2', content: [textBlock('right')] }),
    ];
    expect(await idsInView(lines)).toEqual(['u1', 'u2', 'a2']);
    expect(requestsOf(await read(lines)).messages).toHaveLength(4);
  });

  it('goes on at the line before where a parent is not in the file', async () => {
    const lines = [opening, assistantLine('a1', 'gone', { id: 'm1', content: [textBlock('x')] })];
    expect(await idsInView(lines)).toEqual(['u1', 'a1']);
  });

  it('ends though parents go round in a circle', async () => {
    const lines = [
      opening,
      assistantLine('a1', 'u2', { id: 'm1', content: [textBlock('x')] }),
      userLine('u2', 'a1', 'y'),
    ];
    expect(await idsInView(lines)).toEqual(['u1', 'a1', 'u2']);
  });

  const compacted = [
    opening,
    call,
    resultLine('r1', 'a1', 't1'),
    boundaryLine('b1', 'not in the file', { trigger: 'auto', preTokens: 155_000 }),
    userLine('s1', 'b1', 'So far: …', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
    assistantLine('a2', 's1', { id: 'm2', content: [textBlock('going on')] }),
  ];

  it('begins with the summary after a compaction, which the model did see', async () => {
    expect(await idsInView(compacted)).toEqual(['s1', 'a2']);
    const events = await read(compacted);
    expect(events[3]?.boundary).toEqual({ trigger: 'auto', tokensBefore: 155_000 });
  });

  it('shows what stood before the compaction to a view of that moment', async () => {
    const events = await read(compacted);
    expect(viewAt(events, 2).entries).toHaveLength(3);
  });

  it('keeps every message for replay, the summary flagged', async () => {
    const { entries, requests } = requestsOf(await read(compacted));
    expect(entries.map(({ flags }) => flags.summary)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
      undefined,
    ]);
    expect(requests.map(({ messageCount }) => messageCount)).toEqual([1, 4]);
  });

  it('loses nothing between two compactions', async () => {
    const lines = [
      ...compacted,
      userLine('u3', 'a2', 'more'),
      boundaryLine('b2', 'u3', { trigger: 'manual', preTokens: 9 }),
      userLine('s2', 'b2', 'So far again', { isCompactSummary: true }),
    ];
    const events = await read(lines);
    expect(await idsInView(lines)).toEqual(['s2']);
    expect(viewAt(events, 6).entries.flatMap((entry) => entry.events.map(({ id }) => id))).toEqual([
      's1',
      'a2',
      'u3',
    ]);
    expect(requestsOf(events).messages).toHaveLength(7);
  });

  it('keeps preserved messages in view, after the summary', async () => {
    const kept = compacted.with(
      3,
      boundaryLine('b1', 'r1', { trigger: 'auto', preservedMessages: { uuids: ['u1'] } }),
    );
    expect(await idsInView(kept)).toEqual(['s1', 'u1', 'a2']);
  });

  it('empties results that a small compaction cleared', async () => {
    const lines = [
      opening,
      call,
      resultLine('r1', 'a1', 't1'),
      otherLine('system', 'b1', 'r1', {
        subtype: 'microcompact_boundary',
        microcompactMetadata: { trigger: 'auto', preTokens: 9, compactedToolIds: ['t1'] },
      }),
      assistantLine('a2', 'b1', { id: 'm2', content: [textBlock('x')] }),
    ];
    const events = await read(lines);
    expect(JSON.stringify(messagesOf(events))).not.toContain('result of t1');
    expect(JSON.stringify(requestsOf(events).messages)).toContain('result of t1');
    expect(events[3]?.boundary?.trigger).toBe('micro');
  });

  it('can be mended where a compaction fell between a call and its result', async () => {
    const lines = [opening, call, boundaryLine('b1', 'a1', {}), resultLine('r1', 'b1', 't1')];
    const { messages, repairs } = repairMessages(messagesOf(await read(lines)));
    expect(validateMessages(messages)).toEqual([]);
    expect(repairs.map(({ kind }) => kind)).toEqual(['orphan-result-to-text']);
  });

  it('shows the last of two records with one id, and keeps both in the log', async () => {
    const lines = [opening, userLine('u1', null, 'fix the other test')];
    const events = await read(lines);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(messagesOf(events))).toContain('the other test');
    expect(requestsOf(events).messages).toHaveLength(1);
  });
});

describe('writing Claude Code files', () => {
  const lines = [otherLine('progress', 'p1', null), opening, call, resultLine('r1', 'a1', 't1')];

  it('gives the bytes back, whatever they are, where nothing was changed', async () => {
    const source = bytesOf(`\ufeff${textOf(fileOf(lines)).replaceAll('\n', '\r\n\n')}broken {`);
    const { events } = await readTranscript(source);
    const { bytes } = await writeTranscript(events, { format: 'claude-code', source });
    expect(bytes).toBe(source);
  });

  it('copies the lines that were not changed and keeps the other fields of the one that was', async () => {
    const source = fileOf(lines);
    const { events } = await readTranscript(source);
    const changed = events.map((event) =>
      event.id === 'r1'
        ? {
            ...event,
            message: { role: 'user' as const, content: [{ type: 'text' as const, text: 'new' }] },
          }
        : event,
    );
    const { bytes, receipt } = await writeTranscript(changed, { format: 'claude-code', source });
    const written = textOf(bytes).split('\n');
    expect(written.slice(0, 3)).toEqual(textOf(source).split('\n').slice(0, 3));
    expect(JSON.parse(written[3] ?? '')).toMatchObject({
      uuid: 'r1',
      cwd: String.raw`C:\work\shop`,
      toolUseResult: { stdout: 'much more' },
    });
    expect(receipt).toMatchObject({ isCopy: false, losses: {} });
  });

  it('gives equal lines without the source, but for what stayed in the file', async () => {
    const { events } = await readTranscript(fileOf(lines));
    const { bytes, receipt } = await writeTranscript(events, { format: 'claude-code' });
    const written = textOf(bytes)
      .trim()
      .split('\n')
      .map((text): unknown => JSON.parse(text));
    const { toolUseResult: _, ...last } = lines[3] ?? {};
    expect(written).toEqual([...lines.slice(0, 3), last]);
    expect(receipt.losses).toEqual({ toolUseResult: 1 });
  });

  it('writes other messages as one chain of lines with one block each, which it reads again', async () => {
    const messages = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] },
      {
        role: 'assistant' as const,
        content: [
          { type: 'text' as const, text: 'I look' },
          { type: 'tool_use' as const, id: 't1', name: 'read', input: {} },
        ],
      },
      {
        role: 'user' as const,
        content: [{ type: 'tool_result' as const, toolUseId: 't1', content: [] }],
      },
    ];
    const { bytes } = await writeTranscript(messages, {
      format: 'claude-code',
      sessionId: 'fresh',
    });
    const { events, receipt } = await readTranscript(bytes);
    expect(receipt.format).toBe('claude-code');
    expect(events).toHaveLength(4);
    expect(events.map(({ parentId }) => parentId)).toEqual([
      undefined,
      ...events.slice(0, -1).map(({ id }) => id),
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
    const kept = messagesOf(events).map(({ role, content }) => ({ role, content }));
    expect(kept).toEqual(messages);
  });

  it('reads any valid history again that it wrote', async () => {
    const histories = fc.array(anyMessage).map((messages) => {
      const spoken = messages.filter(({ role }) => role !== 'system');
      // Ids that no provider takes are written as others: `write-transcript.test` looks at those.
      return withCallAliases(repairMessages(joinUsers(spoken)).messages, () => undefined);
    });
    await fc.assert(
      fc.asyncProperty(histories, async (messages) => {
        const written = await writeTranscript(messages, { format: 'claude-code' });
        const { events } = await readTranscript(written.bytes, { format: 'claude-code' });
        expect(messagesOf(events).map(({ role, content }) => ({ role, content }))).toEqual(
          joinUsers(messages),
        );
        expect(written.receipt.losses).toEqual({});
      }),
      { numRuns: 300 },
    );
  });
});

/** A file has one user message where several follow each other. */
function joinUsers(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user') {
      joined[joined.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
    } else joined.push(message);
  }
  return joined;
}

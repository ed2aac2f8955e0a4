import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { messagesOf } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { codexLine, codexMessage, linesOf, valuesOf } from '../../testing/agent-samples.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { writeTranscript } from '../../write-transcript.ts';

const read = (records: readonly unknown[]): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(linesOf(records)));
const textsOf = (events: readonly TranscriptEvent[]): string[] =>
  messagesOf(events).flatMap(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text : block.type)),
  );
const call = (id: string, extra: object = {}): unknown =>
  codexLine('response_item', {
    type: 'function_call',
    name: 'exec_command',
    arguments: '{"cmd": "ls"}',
    call_id: id,
    ...extra,
  });
const output = (id: string): unknown =>
  codexLine('response_item', { type: 'function_call_output', call_id: id, output: 'a.ts' });
const usage = (input: number): unknown =>
  codexLine('event_msg', {
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: 99_999, output_tokens: 999 },
      last_token_usage: {
        input_tokens: input,
        cached_input_tokens: 8_192,
        output_tokens: 50,
        reasoning_output_tokens: 7,
        total_tokens: input + 50,
      },
    },
  });
const meta = codexLine('session_meta', { id: 's-1', cwd: String.raw`C:\p`, instructions: 'brief' });

describe('reading Codex rollouts', () => {
  it('takes messages from response items only, though the text stands in events too', async () => {
    const { events, receipt } = await read([
      meta,
      codexMessage('user', 'go'),
      codexLine('event_msg', { type: 'user_message', message: 'go' }),
      codexMessage('assistant', 'done'),
      codexLine('event_msg', { type: 'agent_message', message: 'done' }),
    ]);
    expect(textsOf(events)).toEqual(['go', 'done']);
    expect(requestsOf(events).system?.content).toEqual([{ type: 'text', text: 'brief' }]);
    expect(receipt).toMatchObject({ format: 'codex', bad: {}, messages: 3, requests: 1 });
  });

  it('takes the usage of the last request, cached tokens included, once per response', async () => {
    const { events, receipt } = await read([
      codexLine('turn_context', { model: 'gpt-x' }),
      codexMessage('user', 'go'),
      call('c1'),
      usage(9_000),
      usage(9_000),
      output('c1'),
      codexLine('event_msg', { type: 'token_count', info: null }),
      codexMessage('assistant', 'done'),
      usage(9_100),
    ]);
    const one = { input: 9_000, cacheRead: 8_192, cacheWrite: 0, output: 50, reasoning: 7 };
    expect(requestsOf(events).requests).toMatchObject([
      { usage: one, model: 'gpt-x' },
      { usage: { ...one, input: 9_100 } },
    ]);
    expect(receipt.usage.input).toBe(18_100);
  });

  it('pairs by call id, never by the id of the item', async () => {
    const { events } = await read([
      codexMessage('user', 'go'),
      call('c1', { id: 'fc_same' }),
      call('c2', { id: 'fc_same' }),
      output('c2'),
      output('c1'),
    ]);
    const [, calls, results] = messagesOf(events);
    expect(calls?.content).toMatchObject([{ id: 'c1' }, { id: 'c2' }]);
    expect(results?.content).toMatchObject([{ toolUseId: 'c2' }, { toolUseId: 'c1' }]);
  });

  it('keeps what is encrypted, and calls without a call id, as they are', async () => {
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'gAAA' };
    const search = { type: 'web_search_call', status: 'completed', action: { query: 'x' } };
    const { events } = await read([
      codexMessage('user', 'go'),
      codexLine('response_item', reasoning),
      codexLine('response_item', search),
    ]);
    expect(messagesOf(events)[1]?.content).toMatchObject([
      { type: 'opaque', data: reasoning },
      { type: 'opaque', data: search },
    ]);
  });

  it('flags what the tool wrote itself as scaffold and keeps it', async () => {
    const { events } = await read([
      codexMessage('user', '<environment_context>\n<cwd>/p</cwd>'),
      codexMessage('user', '# AGENTS.md instructions for /p'),
      codexMessage('user', 'go'),
    ]);
    expect(events.map(({ flags }) => flags?.scaffold)).toEqual([true, true, undefined]);
    expect(textsOf(events)).toHaveLength(3);
  });

  it('shows the replacement history after a compaction that names one', async () => {
    const item = (text: string): unknown => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text }],
    });
    const { events, receipt } = await read([
      codexMessage('user', 'old'),
      codexMessage('assistant', 'older'),
      codexLine('compacted', { message: '', replacement_history: [item('kept'), item('summary')] }),
      codexMessage('assistant', 'new'),
    ]);
    expect(textsOf(events)).toEqual(['kept', 'summary', 'new']);
    expect(receipt.boundaries).toBe(1);
    expect(requestsOf(events).messages).toHaveLength(5);
  });

  it('shows first context, newest user messages up to 20,000 tokens and the summary otherwise', async () => {
    const long = 'x'.repeat(60_000);
    const { events } = await read([
      codexMessage('developer', 'rules'),
      codexMessage('user', '<environment_context>'),
      codexMessage('user', 'the first request'),
      codexMessage('assistant', 'answer'),
      codexMessage('user', long),
      codexMessage('user', `${long}2`),
      codexLine('compacted', { message: 'what was done' }),
      codexMessage('user', 'next'),
    ]);
    expect(textsOf(events)).toEqual([
      '<environment_context>',
      long,
      `${long}2`,
      'what was done',
      'next',
    ]);
  });

  it('leaves calls of an aborted turn open', async () => {
    const { events } = await read([
      codexMessage('user', 'go'),
      call('c1'),
      codexLine('event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
      codexMessage('user', 'again'),
    ]);
    expect(textsOf(events)).toEqual(['go', 'tool_use', 'again']);
  });

  it('reads older files of bare items, and gives them back', async () => {
    const records = [
      { id: 's-0', timestamp: '2025-04-01T00:00:00Z', instructions: 'be old', git: null },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'function_call', id: 'fc', name: 'shell', arguments: '{', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: '{"output":"x"}' },
    ];
    const { events, receipt } = await read(records);
    expect(receipt).toMatchObject({ format: 'codex', bad: {}, messages: 4 });
    expect(requestsOf(events).system?.content).toMatchObject([{ text: 'be old' }]);
    const again = await writeTranscript(events, { format: 'codex' });
    expect(again.receipt.losses).toEqual({});
    expect(valuesOf(again.bytes)).toEqual(records);
  });

  it('gives every record back without the source, and writes what was changed', async () => {
    const records = [
      meta,
      codexMessage('user', 'go'),
      codexLine('response_item', { type: 'message', role: 'nobody', content: 7 }),
      codexLine('compacted', { message: 'sum', window_id: 'w' }),
      codexLine('world_state', { files: [] }),
      { timestamp: 'x', type: 'unheard-of', payload: 7 },
      { timestamp: 'x', type: 'compacted', payload: { replacement_history: [1, { type: 'x' }] } },
    ];
    const { events } = await read(records);
    const again = await writeTranscript(events, { format: 'codex' });
    expect(valuesOf(again.bytes)).toEqual(records);
    const changed = events.map(
      (event): TranscriptEvent =>
        event.message?.role === 'user' && event.flags === undefined
          ? { ...event, message: { role: 'user', content: [{ type: 'text', text: 'GO' }] } }
          : event,
    );
    const written = textOf((await writeTranscript(changed, { format: 'codex' })).bytes);
    expect(written).toContain('"text":"GO"');
    expect(written).toContain('"window_id":"w"');
  });

  it('names an event that came from elsewhere as left out', async () => {
    const { events } = await read([codexMessage('user', 'go')]);
    const { seq, lane, source } = events[0] ?? { seq: 0, lane: '', source: noSource };
    const fresh: TranscriptEvent = { kind: 'meta', seq, lane, source };
    const written = await writeTranscript([...events, fresh], { format: 'codex' });
    expect(written.receipt.losses).toEqual({ 'event meta': 1 });
  });

  it('is written from its own files only', async () => {
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] };
    await expect(writeTranscript([message], { format: 'codex' })).rejects.toThrow(
      /only from files/,
    );
  });
});

const noSource = { offset: 0, length: 0, sha256: '' };

import { type ContentBlock, repairMessages, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { builtInFormats } from '../built-in-formats.ts';
import { historyOf } from '../history/lane-history.ts';
import { messagesOf } from '../history/view-at.ts';
import { readTranscript } from '../read-transcript.ts';
import {
  assistantLine,
  callBlock,
  fileOf,
  resultLine,
  userLine,
} from '../testing/claude-code-lines.ts';
import { repeatedCallFiles, repeatedGeminiDocument } from '../testing/repeated-call-files.ts';
import { bytesOf, textOf } from '../testing/text-source.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { streamTranscript, writeTranscript } from '../write-transcript.ts';
import { startCallIds } from './call-ids.ts';

const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'f', input: {} });
const result = (toolUseId: string): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [],
});

interface Made extends Partial<TranscriptEvent> {
  readonly blocks: readonly ContentBlock[];
}

/** Events of one log. */
function logOf(made: readonly Made[]): TranscriptEvent[] {
  return made.map(({ blocks, ...rest }, seq) => {
    const role = blocks.some(({ type }) => type === 'tool_use') ? 'assistant' : 'user';
    const source = { offset: 0, length: 0, sha256: '' };
    return {
      kind: 'message',
      seq,
      lane: 'main',
      source,
      message: { role, content: blocks },
      ...rest,
    };
  });
}

/** The ids of calls and results, as they are given out. */
function idsOf(events: readonly TranscriptEvent[]): string[][] {
  return events.map(({ message }) =>
    (message?.content ?? []).flatMap((block) => {
      if (block.type === 'tool_use') return [block.id];
      return block.type === 'tool_result' ? [`of ${block.toolUseId}`] : [];
    }),
  );
}

function given(...made: Made[]): { readonly ids: string[][]; readonly notes: number } {
  let notes = 0;
  const withOwn = startCallIds(() => {
    notes += 1;
  });
  return { ids: idsOf(logOf(made).map(withOwn)), notes };
}

describe('call ids that are used twice', () => {
  it('get a suffix, and so does the result behind them', () => {
    const turn = [{ blocks: [call('a')] }, { blocks: [result('a')] }];
    expect(given(...turn, ...turn, ...turn)).toEqual({
      ids: [['a'], ['of a'], ['a_2'], ['of a_2'], ['a_3'], ['of a_3']],
      notes: 2,
    });
  });

  it('leave a call open that was interrupted before its id was used again', () => {
    const open = { blocks: [call('a')] };
    const { ids } = given(open, open, { blocks: [result('a')] });
    expect(ids).toEqual([['a'], ['a_2'], ['of a_2']]);
  });

  it('are answered in their order where one response holds both', () => {
    const results = { blocks: [result('a'), result('a')] };
    expect(given({ blocks: [call('a'), call('a')] }, results).ids).toEqual([
      ['a', 'a_2'],
      ['of a', 'of a_2'],
    ]);
    const record = { blocks: [call('a')], groupId: 'one response' };
    expect(given({ ...record, id: '1' }, { ...record, id: '2' }, results).ids).toEqual([
      ['a'],
      ['a_2'],
      ['of a', 'of a_2'],
    ]);
  });

  it('are answered late where the newest response has its answer', () => {
    const answer = { blocks: [result('a')] };
    const { ids } = given({ blocks: [call('a')] }, { blocks: [call('a')] }, answer, answer);
    expect(ids.slice(2)).toEqual([['of a_2'], ['of a']]);
  });

  it('keep their ids where a record comes again, in any order', () => {
    const first = [
      { id: '1', blocks: [call('a')] },
      { id: '2', blocks: [result('a')] },
    ];
    const second = [
      { id: '3', blocks: [call('a')] },
      { id: '4', blocks: [result('a')] },
    ];
    const log = given(...first, ...second, ...first, ...second);
    expect(log.ids.slice(4)).toEqual(log.ids.slice(0, 4));
    expect(log.notes).toBe(1);
  });

  it('are those of a lane: another agent may use the same', () => {
    const own = { blocks: [call('a')] };
    expect(given(own, { ...own, lane: 'other' })).toEqual({ ids: [['a'], ['a']], notes: 0 });
  });

  it('get no suffix that the file uses itself', () => {
    const { ids } = given(...['a', 'a_2', 'a', 'a_3', 'a'].map((id) => ({ blocks: [call(id)] })));
    expect(ids.flat()).toEqual(['a', 'a_2', 'a_3', 'a_3_2', 'a_4']);
  });

  it('belong to the call that the record of the result names', async () => {
    const use = (line: string, message: string) =>
      assistantLine(line, 'u', { id: message, content: [callBlock('a')] });
    const answer = (line: string, caller: string) =>
      resultLine(line, caller, 'a', { sourceToolAssistantUUID: caller });
    const lines = [userLine('u', null, 'go'), use('1', 'm1'), use('2', 'm2')];
    const { events } = await readTranscript(fileOf([...lines, answer('x', '1'), answer('y', '2')]));
    expect(idsOf(events).slice(1)).toEqual([['a'], ['a_2'], ['of a'], ['of a_2']]);
  });

  it('are cleared together with the id that a clearing names, up to its place', () => {
    const turn = [{ blocks: [call('a')] }, { blocks: [result('a')] }];
    const events = logOf([...turn, ...turn]);
    const clearing: TranscriptEvent = {
      kind: 'boundary',
      seq: 4,
      lane: 'main',
      boundary: { trigger: 'micro', clearedCallIds: ['a', 'b'] },
      source: { offset: 0, length: 0, sha256: '' },
    };
    const log = [...events, clearing].map(startCallIds(() => undefined));
    expect(log[4]?.boundary?.clearedCallIds).toEqual(['a', 'a_2', 'b']);
  });

  it('stay apart however often an id is used', () => {
    const turn = [{ blocks: [call('a')] }, { blocks: [result('a')] }];
    const { ids } = given(...Array.from({ length: 150 }, () => turn).flat());
    expect(ids.at(-2)).toEqual(['a_150']);
    expect(ids.at(-1)).toEqual(['of a_150']);
  });

  it('keep the first answer in mind where a second one to the same call comes', () => {
    const answer = { id: 'r', blocks: [result('a')] };
    const doubled = { id: 'again', blocks: [result('a')] };
    const { ids } = given(
      { blocks: [call('a')] },
      answer,
      doubled,
      { blocks: [call('a')] },
      answer,
      { id: 'new', blocks: [result('a')] },
    );
    expect(ids.slice(1)).toEqual([['of a'], ['of a'], ['a_2'], ['of a'], ['of a_2']]);
  });

  it('are remembered while 50,000 others come, and forgotten once 100,000 have', () => {
    const use = { blocks: [call('a')] };
    const others = Array.from({ length: 100_000 }, (_, at) => ({ blocks: [call(`c${at}`)] }));
    expect(given(use, ...others.slice(1, 50_000), use).notes).toBe(1);
    expect(given(use, ...others, use).notes).toBe(0);
  });

  it('are remembered for good once they were used again', () => {
    const use = { blocks: [call('a')] };
    const others = Array.from({ length: 120_000 }, (_, at) => ({ blocks: [call(`c${at}`)] }));
    expect(given(use, use, ...others, use).ids.at(-1)).toEqual(['a_3']);
  });
});

const files = [
  ...Object.entries(repeatedCallFiles),
  ['gemini-cli', repeatedGeminiDocument] as const,
].map(([format, text]) => ({ format, bytes: bytesOf(text) }));

describe('a file in which a call id is used twice', () => {
  it.each(files)('gives each call of $format its own result', async ({ format, bytes }) => {
    const { events, receipt } = await readTranscript(bytes, { format });
    expect(receipt.notes['call id used twice']).toBeGreaterThan(0);
    const before = events.findIndex(({ kind }) => kind === 'boundary');
    const log = before === -1 ? events : events.slice(0, before);
    const messages = historyOf(log).entries.map(({ message }) => message);
    expect(validateMessages(messages)).toEqual([]);
    const content = messages.flatMap((message) => message.content);
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    expect(calls).toHaveLength(2);
    expect(new Set(calls).size).toBe(2);
    const results = content.flatMap((block) => (block.type === 'tool_result' ? [block] : []));
    expect(results.map(({ toolUseId }) => toolUseId)).toEqual(calls);
  });

  const written = files.filter(
    ({ format }) => builtInFormats.find(({ name }) => name === format)?.write !== undefined,
  );
  it.each(written)('is written again as $format with its own ids', async ({ format, bytes }) => {
    const { events } = await readTranscript(bytes, { format });
    const { bytes: again } = await writeTranscript(events, { format });
    // Claude Code's richer copies of the results stand in the source alone.
    if (format !== 'claude-code') expect(jsonOf(again)).toEqual(jsonOf(bytes));
    const reread = await readTranscript(again, { format });
    expect(idsOf(reread.events)).toEqual(idsOf(events));
    expect(textOf(again)).not.toContain('c_2');
    expect((await writeTranscript(events, { format, source: bytes })).bytes).toBe(bytes);
    const changed = events.map((event) => ({ ...event, model: 'changed' }));
    const patched = await writeTranscript(changed, { format, source: bytes });
    expect(textOf(patched.bytes)).not.toContain('c_2');
    const stream = streamTranscript(asStream(events), { format });
    if (stream !== undefined) expect(await collected(stream.chunks)).toEqual(again);
  });

  it('keeps its ids on the way through an archive', async () => {
    const bytes = bytesOf(repeatedCallFiles['codex'] ?? '');
    const { events } = await readTranscript(bytes, { format: 'codex' });
    const archive = await writeTranscript(events, { format: 'ctx' });
    const again = await readTranscript(archive.bytes, { format: 'ctx' });
    expect(again.receipt.notes).toEqual({});
    expect(idsOf(again.events).slice(1)).toEqual(idsOf(events));
    const back = await writeTranscript(again.events.slice(1), { format: 'codex' });
    expect(back.bytes).toEqual((await writeTranscript(events, { format: 'codex' })).bytes);
  });

  it('stays as it is in an archive that somebody else wrote', async () => {
    const message = { role: 'assistant', content: [call('a')] };
    const record = {
      kind: 'message',
      lane: 'main',
      message,
      origin: { offset: 0, length: 1, sha256: '' },
    };
    const lines = [{ ctx: 1 }, { ...record, id: '1' }, { ...record, id: '2' }];
    const archive = bytesOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { events } = await readTranscript(archive, { format: 'ctx' });
    expect(idsOf(events)).toEqual([[], ['a'], ['a']]);
  });

  it('is written as another format with the ids that were given', async () => {
    const { events } = await readTranscript(bytesOf(repeatedCallFiles['pi'] ?? ''));
    for (const format of ['anthropic', 'openai-chat', 'claude-code']) {
      const { bytes } = await writeTranscript(messagesOf(events), { format });
      const { events: read, receipt: reading } = await readTranscript(bytes, { format });
      expect(reading.notes).toEqual({});
      expect(repairMessages(messagesOf(read)).repairs).toEqual([]);
    }
  });

  it('is written with the ids that were given where that is asked for', async () => {
    const { events } = await readTranscript(bytesOf(repeatedCallFiles['anthropic'] ?? ''));
    const { bytes } = await writeTranscript(events, { format: 'anthropic', callIds: 'own' });
    expect(textOf(bytes)).toContain('c_2');
  });
});

async function* asStream(events: readonly TranscriptEvent[]): AsyncGenerator<TranscriptEvent> {
  yield* events;
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return new Uint8Array(Buffer.concat(all));
}

/** The values of a document, or of each line. */
function jsonOf(bytes: Uint8Array): unknown[] {
  const text = textOf(bytes);
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  }
}

import { repairMessages, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { requestsOf } from './history/requests-of.ts';
import { messagesOf, viewAt } from './history/view-at.ts';
import { openTranscript, readTranscript } from './read-transcript.ts';
import {
  assistantLine,
  boundaryLine,
  callBlock,
  fileOf,
  resultLine,
  textBlock,
  userLine,
} from './testing/claude-code-lines.ts';
import { bytesOf, textOf } from './testing/text-source.ts';
import type { TranscriptEvent } from './transcript.ts';
import { writeTranscript } from './write-transcript.ts';

type Line = Readonly<Record<string, unknown>>;

async function read(lines: readonly Line[]): Promise<readonly TranscriptEvent[]> {
  return (await readTranscript(fileOf(lines), { format: 'claude-code' })).events;
}

const idsIn = (events: readonly TranscriptEvent[]): (string | undefined)[] =>
  viewAt(events, Number.POSITIVE_INFINITY).entries.flatMap((entry) =>
    entry.events.map(({ id }) => id),
  );

/** Each compaction follows a prompt and an answer, and begins with its summary. */
function linesWithCompactions(count: number): Line[] {
  const lines: Line[] = [];
  let last: string | null = null;
  for (let at = 1; at <= count; at += 1) {
    const [prompt, answer, end, summary] = ['u', 'a', 'b', 's'].map((sign) => `${sign}${at}`);
    lines.push(
      userLine(prompt ?? '', last, 'go'),
      assistantLine(answer ?? '', prompt ?? '', { id: `m${at}`, content: [textBlock('ok')] }),
      boundaryLine(end ?? '', answer ?? '', { trigger: 'auto', preTokens: 9 }),
      userLine(summary ?? '', end ?? '', `summary ${at}`, { isCompactSummary: true }),
    );
    last = summary ?? null;
  }
  return lines;
}

describe('what other readers fell over', () => {
  it('shows after the thirty-third compaction its summary alone, and keeps all that lies before', async () => {
    const events = await read(linesWithCompactions(33));
    expect(idsIn(events)).toEqual(['s33']);
    expect(events.filter(({ kind }) => kind === 'boundary')).toHaveLength(33);
    expect(requestsOf(events).messages).toHaveLength(99);
    for (let at = 2; at <= 33; at += 1) {
      const boundary = events.findIndex(({ id }) => id === `b${at}`);
      const before = viewAt(events, boundary - 1).entries.flatMap((entry) => entry.events);
      expect(before.map(({ id }) => id)).toEqual([`s${at - 1}`, `u${at}`, `a${at}`]);
    }
  });

  it('pairs 200 parallel calls whose results come in any order', async () => {
    const calls = Array.from({ length: 200 }, (_, at) => `t${at}`);
    const lines = [
      userLine('u', null, 'go'),
      ...calls.map((id, at) =>
        assistantLine(`a${id}`, at === 0 ? 'u' : `at${at - 1}`, {
          id: 'm',
          content: [callBlock(id)],
        }),
      ),
      ...calls.toReversed().map((id) => resultLine(`r${id}`, `a${id}`, id)),
    ];
    const messages = messagesOf(await read(lines));
    expect(messages.map(({ content }) => content.length)).toEqual([1, 200, 200]);
    expect(validateMessages(repairMessages(messages).messages)).toEqual([]);
  });

  it('reads a result of 1 MB of base64 as it is', async () => {
    const data = 'iVBORw0KGgo'.repeat(100_000);
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const content = [{ type: 'tool_result', tool_use_id: 't', content: [image] }];
    const lines = [
      userLine('u', null, 'go'),
      assistantLine('a', 'u', { id: 'm', content: [callBlock('t')] }),
      userLine('r', 'a', content),
    ];
    const source = fileOf(lines);
    const { events } = await readTranscript(source);
    expect(JSON.stringify(events[2]?.message)).toContain(data);
    const copy = await writeTranscript(events, { format: 'claude-code', source });
    expect(copy.bytes).toBe(source);
  });

  it('takes keys such as __proto__ for keys, and changes no prototype', async () => {
    const line = JSON.stringify(userLine('u', null, 'go')).slice(0, -1);
    const evil = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
    const input = bytesOf(`${line},${evil}}\n`);
    const { events } = await readTranscript(input, { format: 'claude-code' });
    expect(({} as Line)['polluted']).toBeUndefined();
    const { bytes } = await writeTranscript(events, { format: 'claude-code' });
    expect(textOf(bytes)).toContain('"__proto__":{"polluted":1}');
  });

  it('keeps lone surrogates and NUL in texts, and writes them as it read them', async () => {
    const text = 'half \ud83d and \u0000 and \udc00';
    const events = await read([userLine('u', null, text)]);
    expect(events[0]?.message?.content).toMatchObject([{ type: 'text', text }]);
    const { bytes } = await writeTranscript(events, { format: 'claude-code' });
    const again = await readTranscript(bytes, { format: 'claude-code' });
    expect(again.events[0]?.message?.content).toMatchObject([{ text }]);
  });

  it('keeps a folder of Windows as it is and makes no path of it', async () => {
    const [event] = await read([userLine('u', null, 'go')]);
    expect(event?.extra?.['record']).toMatchObject({ cwd: String.raw`C:\work\shop` });
  });

  it('keeps two session ids of one file, each with its line', async () => {
    const events = await read([
      userLine('u', null, 'go', { sessionId: 'one' }),
      userLine('v', 'u', 'on', { sessionId: 'two' }),
    ]);
    const ids = events.map(({ extra }) => (extra?.['record'] as Line)['sessionId']);
    expect(ids).toEqual(['one', 'two']);
    expect(messagesOf(events)[0]?.content).toHaveLength(2);
  });

  it('keeps a call id that is used twice apart by its places, so that each has its own result', async () => {
    const call = (line: string, parent: string, message: string): Line =>
      assistantLine(line, parent, { id: message, content: [callBlock('same')] });
    const events = await read([
      userLine('u', null, 'go'),
      call('a1', 'u', 'm1'),
      resultLine('r1', 'a1', 'same', { toolUseResult: 'first' }),
      call('a2', 'r1', 'm2'),
      resultLine('r2', 'a2', 'same', { toolUseResult: 'second' }),
    ]);
    const { messages } = repairMessages(messagesOf(events));
    expect(messages).toHaveLength(5);
    expect(validateMessages(messages)).toEqual([]);
  });

  it('counts a call id that another record uses again, and not a record that comes again', async () => {
    const call = (line: string): Line =>
      assistantLine(line, 'u', { id: `m${line}`, content: [callBlock('same')] });
    const notesOf = async (...lines: Line[]) =>
      (await readTranscript(fileOf([userLine('u', null, 'go'), ...lines]))).receipt.notes;
    expect(await notesOf(call('a'), call('b'))).toEqual({ 'call id used twice': 1 });
    expect(await notesOf(call('a'), call('a'))).toEqual({});
  });

  it('gives out what it holds back once nothing more is there for now, and goes on after it', async () => {
    const lines = [
      userLine('u', null, 'go'),
      assistantLine('a', 'u', { id: 'm', content: [textBlock('x')], usage: { input_tokens: 1 } }),
      userLine('v', 'a', 'on'),
    ];
    const seen: string[] = [];
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield fileOf(lines.slice(0, 2));
      yield new Uint8Array();
      seen.push('idle');
      yield fileOf(lines.slice(2));
    }
    const { events } = await openTranscript(chunks(), { format: 'claude-code' });
    for await (const { id = '' } of events) seen.push(id);
    expect(seen).toEqual(['u', 'a', 'idle', 'v']);
  });
});

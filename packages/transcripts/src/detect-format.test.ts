import { isCtxError } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { builtInFormats } from './built-in-formats.ts';
import { chooseFormat, detectFormat } from './detect-format.ts';
import { readTranscript } from './read-transcript.ts';
import { assistantLine, fileOf, textBlock, userLine } from './testing/claude-code-lines.ts';
import { bytesOf, inChunks } from './testing/text-source.ts';
import type { TranscriptFormat } from './transcript.ts';

const formatOf = (document: unknown): string => {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return chooseFormat(bytesOf(text), builtInFormats).format.name;
};
const toolCall = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const block = { type: 'tool_use', id: 'c', name: 'f', input: {} };

describe('telling the format', () => {
  it('knows Anthropic messages by their blocks or by a system field', () => {
    expect(
      formatOf([
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [block] },
      ]),
    ).toBe('anthropic');
    expect(formatOf({ system: 'x', messages: [{ role: 'user', content: 'x' }] })).toBe('anthropic');
    expect(formatOf({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] })).toBe(
      'anthropic',
    );
  });

  it('knows OpenAI chat by its calls and roles, and takes plain texts for it', () => {
    expect(formatOf([{ role: 'assistant', content: null, tool_calls: [toolCall] }])).toBe(
      'openai-chat',
    );
    expect(formatOf({ messages: [{ role: 'tool', tool_call_id: 'c', content: '' }] })).toBe(
      'openai-chat',
    );
    expect(formatOf([{ role: 'developer', content: 'x' }])).toBe('openai-chat');
    expect(formatOf([{ role: 'user', content: 'x' }])).toBe('openai-chat');
  });

  it('knows Claude Code though the file begins with bookkeeping', () => {
    const first = '{"type":"file-history-snapshot","messageId":"u","snapshot":{}}\n';
    expect(formatOf(first)).toBe('claude-code');
    expect(formatOf(first + JSON.stringify(userLine('u1', null, 'x')))).toBe('claude-code');
    expect(formatOf('{"type":"summary","summary":"x","leafUuid":"y"}\n\n')).toBe('claude-code');
  });

  it('knows a pretty-printed document by what it holds, not by its lines', () => {
    const document = { messages: [{ role: 'assistant', content: [block] }] };
    expect(formatOf(JSON.stringify(document, undefined, 2))).toBe('anthropic');
  });

  it('needs no whole record: the first message may be longer than the head', () => {
    const long = 'x'.repeat(200_000);
    expect(formatOf([{ role: 'user', content: [{ type: 'text', text: long }] }])).toBe('anthropic');
    expect(formatOf({ system: long, messages: [] })).toBe('anthropic');
  });

  it.each(['{"messages":[', '[{"x":1},{"y":"', '{"a":{"b":'])(
    'says where JSON is cut off that tells no format: %s',
    (text) => {
      const cutOff = `The JSON is cut off at byte ${String(text.length)}`;
      expect(() => chooseFormat(bytesOf(text), builtInFormats)).toThrow(cutOff);
      expect(() => chooseFormat(bytesOf('{"x":1}'), builtInFormats)).toThrow('no known transcript');
    },
  );

  it('says why, best first', () => {
    const ranked = detectFormat(
      bytesOf('{"system":"x","messages":[{"role":"user","content":"x"}]}'),
      builtInFormats,
    );
    expect(ranked.map(({ format, reason }) => [format.name, reason])).toEqual([
      ['anthropic', 'messages beside a field system'],
      ['openai-chat', 'messages whose content is text'],
    ]);
  });

  it('refuses to choose between two that are equally likely, and names both', () => {
    const twin = (name: string): TranscriptFormat => ({
      name,
      detect: () => ({ score: 50, reason: 'looks like it' }),
      read: () => inChunksOfNothing(),
    });
    expect(() => chooseFormat(bytesOf('x'), [twin('left'), twin('right')])).toThrow(
      /left .* or right/,
    );
  });

  it.each([
    ['', /empty/],
    ['hello', /no known transcript/],
    ['SQLite format 3\0', /no known transcript/],
  ])('refuses %j in one clear sentence', async (text, message) => {
    const reading = readTranscript(bytesOf(text));
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toSatisfy((error) =>
      isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT'),
    );
  });

  it('names UTF-16 for what it is', async () => {
    const utf16 = new Uint8Array(Buffer.from('\ufeff[{}]', 'utf16le'));
    await expect(readTranscript(utf16)).rejects.toThrow(/UTF-16/);
    await expect(readTranscript(utf16.subarray(2))).rejects.toThrow(/UTF-16/);
  });

  it('reads a stream from its start though it looked ahead', async () => {
    const bytes = fileOf([
      userLine('u1', null, 'x'),
      assistantLine('a1', 'u1', { content: [textBlock('y'.repeat(70_000))] }),
    ]);
    const whole = await readTranscript(bytes);
    for (const size of [7, 65_536, 1_000_000]) {
      expect(await readTranscript(inChunks(bytes, size))).toEqual({
        ...whole,
        receipt: { ...whole.receipt, peakBufferedBytes: expect.any(Number) as number },
      });
    }
  });

  it('takes the format that the caller names, and none that does not exist', async () => {
    const { receipt } = await readTranscript(bytesOf('[{"role":"user","content":"x"}]'), {
      format: 'anthropic',
    });
    expect(receipt.format).toBe('anthropic');
    await expect(readTranscript(bytesOf('[]'), { format: 'nope' })).rejects.toThrow(/nope/);
  });
});

async function* inChunksOfNothing(): AsyncGenerator<never> {}

import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import { writeTranscript } from '../../write-transcript.ts';

const session = {
  session_id: 'u:a/b:1',
  system_state: {},
  facts: ['uses pnpm', 'zwei'],
  recent_history: [
    { timestamp: 1_708_654_321, role: 'user', content: 'hi', token_count: 1 },
    { timestamp: 1_708_654_321, role: 'assistant', content: 'hello' },
    { timestamp: 1_708_654_321, role: 'tool', content: '{"status":"success"}' },
    { role: 'observer', content: { a: [1] } },
    'odd',
  ],
  long_term_summary: 'before',
  active_tasks: [{ id: 't1', status: 'RUNNING', progress: 0.5 }],
  unheard_of: { of: 1 },
};
const bytesOfSession = (value: unknown): Uint8Array =>
  bytesOf(`${JSON.stringify(value, undefined, 2)}\n`);

describe('reading sessions as JSON', () => {
  it('keeps the order of the list though times are equal, in seconds', async () => {
    const { events, receipt } = await readTranscript(bytesOfSession(session));
    expect(receipt).toMatchObject({ format: 'session-json', bad: { 'not-message': 1 } });
    const times = events.flatMap(({ kind, at }) => (kind === 'message' ? [at] : []));
    expect(times).toEqual([1_708_654_321_000, 1_708_654_321_000, 1_708_654_321_000, undefined]);
  });

  it('takes what a tool said as text, never as a result without a call, and writes it as tool', async () => {
    const { events } = await readTranscript(bytesOfSession(session));
    const blocks = messagesOf(events).flatMap(({ content }) => content);
    expect(blocks.every(({ type }) => type === 'text')).toBe(true);
    const { bytes } = await writeTranscript(events, { format: 'session-json' });
    expect(textOf(bytes)).toContain('"role": "tool"');
  });

  it('writes equal bytes, known fields first and in their order', async () => {
    const bytes = bytesOfSession(session);
    const { events } = await readTranscript(bytes);
    const again = await writeTranscript(events, { format: 'session-json' });
    expect(again.receipt.losses).toEqual({});
    expect(textOf(again.bytes)).toBe(textOf(bytes));
    const { unheard_of, ...rest } = session;
    const mixed = await readTranscript(bytesOfSession({ unheard_of, ...rest }));
    const written = await writeTranscript(mixed.events, { format: 'session-json' });
    expect(textOf(written.bytes)).toBe(textOf(bytes));
  });

  it('drops credentials and counts them', async () => {
    const { events, receipt } = await readTranscript(
      bytesOfSession({ ...session, oauth_tokens: { refresh: 'very-secret' } }),
    );
    expect(receipt.notes).toEqual({ 'dropped oauth_tokens': 1 });
    expect(JSON.stringify(events)).not.toContain('very-secret');
    const { bytes } = await writeTranscript(events, { format: 'session-json' });
    expect(textOf(bytes)).not.toContain('oauth_tokens');
  });

  it('is written from other formats, calls and results as text that is counted', async () => {
    const { events } = await readTranscript(
      bytesOf(
        JSON.stringify([
          { role: 'user', content: 'go' },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
        ]),
      ),
    );
    const { bytes, receipt } = await writeTranscript(events, {
      format: 'session-json',
      sessionId: 's',
    });
    expect(JSON.parse(textOf(bytes))).toEqual({
      session_id: 's',
      recent_history: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: '{"name":"f","input":{"a":1}}' },
        { role: 'tool', content: 'x' },
      ],
    });
    expect(receipt.losses).toMatchObject({ 'tool_use as text': 1, 'tool_result as text': 1 });
  });
});

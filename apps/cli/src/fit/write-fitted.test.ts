import { readTranscript, viewAt, writeFitted } from '@ctx/transcripts';
import { expect, it } from 'vitest';

it('writes the conversation of a format that can be read only as Anthropic messages, and says so', async () => {
  const trajectory = [
    {
      thought: 'look',
      action: 'ls',
      observation: 'a.ts',
      response: 'look\n```\nls\n```',
      state: '',
    },
  ];
  const history = [
    { role: 'system', content: 'You fix bugs.', agent: 'primary' },
    { role: 'user', content: 'Fix it.', agent: 'primary' },
    { role: 'assistant', content: 'look', action: 'ls', thought: 'look', agent: 'primary' },
    { role: 'user', content: 'a.ts', agent: 'primary' },
  ];
  const source = Buffer.from(JSON.stringify({ environment: 'swe', trajectory, history, info: {} }));
  const { events, receipt } = await readTranscript(source, { format: 'swe-agent' });
  const given = viewAt(events, Number.POSITIVE_INFINITY).entries.map(({ message }) => message);
  const messages = given.map((message, place) => ({ message, place }));
  const log = { events, source, format: receipt.format, sessionId: 's', given, messages };
  const written = await writeFitted(log);
  expect(receipt.format).toBe('swe-agent');
  expect(Object.keys(written.receipt.losses).join()).toContain('can be read only');
  const again = await readTranscript(written.bytes);
  expect(again.receipt.format).toBe('anthropic');
  expect(viewAt(again.events, Number.POSITIVE_INFINITY).entries).toHaveLength(given.length);
});

it('writes no call id twice, though the source does, and leaves all else as it was', async () => {
  const turn = (answer: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: answer },
  ];
  const source = Buffer.from(
    JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: 'go' }, ...turn('1'), ...turn('2')],
    }),
  );
  const { events, receipt } = await readTranscript(source);
  const given = viewAt(events, Number.POSITIVE_INFINITY).entries.map(({ message }) => message);
  const messages = given.map((message, place) => ({ message, place }));
  const log = { events, source, format: receipt.format, sessionId: 's', given, messages };
  const { bytes } = await writeFitted(log);
  const second = JSON.stringify(turn('2')).replaceAll('"c"', '"c_2"').slice(1, -1);
  const wanted = source.toString().replace(JSON.stringify(turn('2')).slice(1, -1), second);
  expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(JSON.parse(wanted));
});

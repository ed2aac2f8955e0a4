import { expect, test } from 'vitest';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf, textOf } from '../../testing/text-source.ts';
import { writeTranscript } from '../../write-transcript.ts';
import { lineFormat } from './line-format.ts';

/** Records of two halves, each an event. */
const halves = lineFormat({
  name: 'halves',
  detect: () => undefined,
  createCodec: () => ({
    read: ({ left, right }) => [
      { kind: 'meta', extra: { half: left } },
      { kind: 'meta', extra: { half: right } },
    ],
    write: (events) => ({ left: events[0]?.extra?.['half'], right: events[1]?.extra?.['half'] }),
  }),
});

test('an event whose record has lost its first one is left out and named, not written into the record before', async () => {
  const text = '{"left":1,"right":2}\n{"left":3,"right":4}\n';
  const { events } = await readTranscript(bytesOf(text), { format: halves });
  const whole = await writeTranscript(events, { format: halves });
  expect([textOf(whole.bytes), whole.receipt.losses]).toEqual([text, {}]);
  const torn = await writeTranscript(
    [events[3], ...events.slice(0, 2), events[3]].flatMap((event) => event ?? []),
    {
      format: halves,
    },
  );
  expect(textOf(torn.bytes)).toBe('{"left":1,"right":2}\n');
  expect(torn.receipt.losses).toEqual({ 'event meta': 2 });
});

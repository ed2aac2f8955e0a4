import { repairMessages, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInFormats } from './built-in-formats.ts';
import { requestsOf } from './history/requests-of.ts';
import { messagesOf } from './history/view-at.ts';
import { openTranscript, readTranscript } from './read-transcript.ts';
import { userLine } from './testing/claude-code-lines.ts';
import { sampleFiles } from './testing/sample-files.ts';
import { bytesOf, inChunks } from './testing/text-source.ts';
import { writeTranscript } from './write-transcript.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const isWritable = (name: string): boolean =>
  builtInFormats.some((format) => format.name === name && format.write !== undefined);
const names = builtInFormats.map(({ name }) => name);

/** Reads, and checks everything that must hold whatever the bytes are. */
async function survives(bytes: Uint8Array, format: string): Promise<void> {
  const { events, receipt } = await readTranscript(bytes, { format });
  expect(receipt.bytes).toBe(bytes.length);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  for (const lane of receipt.lanes) {
    for (const messages of [messagesOf(events, { lane }), requestsOf(events, { lane }).messages]) {
      expect(validateMessages(repairMessages(messages).messages)).toEqual([]);
    }
  }
  if (!isWritable(format)) return;
  const { bytes: copy } = await writeTranscript(events, { format, source: bytes });
  expect(copy).toBe(bytes);
}

describe.each(names)('reading %s', (format) => {
  const file = sampleFiles[format] ?? '';
  const lines = file.split('\n');

  it('tells the format, reads without a bad record and gives the file back', async () => {
    const { receipt } = await readTranscript(bytesOf(file));
    expect(receipt).toMatchObject({ format, bad: {} });
    await survives(bytesOf(file), format);
  });

  it('never throws on random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), (bytes) => survives(bytes, format)),
      { numRuns: 300 * share },
    );
  });

  it('never throws on a prefix', async () => {
    const bytes = bytesOf(file);
    for (let end = 0; end < bytes.length; end += 7) await survives(bytes.subarray(0, end), format);
  });

  it('never throws on lines doubled, dropped, swapped or glued', async () => {
    const place = fc.nat({ max: lines.length - 1 });
    const change = fc.constantFrom('double', 'drop', 'swap', 'glue');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(change, place, place), { maxLength: 4 }),
        async (changes) => {
          const text = changes.reduce(change1, lines).join('\n');
          await survives(bytesOf(text), format);
        },
      ),
      { numRuns: 200 * share },
    );
  });

  it('gives the same events however the bytes are cut into chunks', async () => {
    const whole = await readTranscript(bytesOf(file));
    const bits = await readTranscript(inChunks(bytesOf(file), 3));
    expect(bits.events).toEqual(whole.events);
  });

  it('reads an empty file as an empty log', async () => {
    expect((await readTranscript(new Uint8Array(), { format })).events).toEqual([]);
  });

  it('sets a record over the cap aside and reads the rest', async () => {
    const { events, receipt } = await readTranscript(
      bytesOf(file.replace('"go"', `"${'x'.repeat(2_000)}"`)),
      {
        format,
        maxRecordBytes: 1_000,
      },
    );
    expect(receipt.bad).toEqual({ 'over-cap': 1 });
    expect(receipt.quarantine[0]?.length).toBeGreaterThan(2_000);
    expect(events.some(({ message }) => message?.role === 'assistant')).toBe(true);
  });
});

type Change = [kind: string, left: number, right: number];
function change1(lines: string[], [kind, left, right]: Change): string[] {
  const line = lines[left] ?? '';
  if (kind === 'double') return lines.toSpliced(left, 0, line);
  if (kind === 'drop') return lines.toSpliced(left, 1);
  if (kind === 'glue') return lines.toSpliced(left, 2, line + (lines[left + 1] ?? ''));
  return left < lines.length && right < lines.length
    ? lines.with(left, lines[right] ?? '').with(right, line)
    : lines;
}

describe('openTranscript', () => {
  it('holds one record at a time, however long the file is', async () => {
    const record = bytesOf(`${JSON.stringify(userLine('u', null, 'x'.repeat(1_000)))}\n`);
    const count = process.env['CTX_BIG'] === undefined ? 2_000 : 200_000;
    const transcript = await openTranscript(repeated(record, count));
    let seen = 0;
    for await (const _event of transcript.events) seen += 1;
    expect(seen).toBe(count);
    expect(transcript.receipt().bytes).toBe(count * record.length);
    expect(transcript.receipt().peakBufferedBytes).toBeLessThanOrEqual(record.length);
  });

  it('holds one element of a list at a time', async () => {
    const element = bytesOf(
      `{"role":"user","content":[{"type":"text","text":"${'x'.repeat(1_000)}"}]},`,
    );
    const transcript = await openTranscript(listOf(element, 2_000));
    let seen = 0;
    for await (const _event of transcript.events) seen += 1;
    expect(seen).toBe(2_001);
    expect(transcript.receipt().peakBufferedBytes).toBeLessThan(element.length);
  });
});

async function* repeated(record: Uint8Array, count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield await Promise.resolve(record);
}

async function* listOf(element: Uint8Array, count: number): AsyncGenerator<Uint8Array> {
  yield bytesOf('[');
  yield* repeated(element, count);
  yield bytesOf(']');
}

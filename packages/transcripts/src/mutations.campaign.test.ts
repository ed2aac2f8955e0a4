import { readFileSync } from 'node:fs';
import { callsOf, isCtxError, repairMessages, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInFormats } from './built-in-formats.ts';
import { historyOf } from './history/lane-history.ts';
import { requestsOf } from './history/requests-of.ts';
import { messagesOf } from './history/view-at.ts';
import { openTranscript, readTranscript } from './read-transcript.ts';
import { lostText } from './testing/coverage.ts';
import { anyMutations, mutated } from './testing/mutations.ts';
import { repeatedCallFiles } from './testing/repeated-call-files.ts';
import { sampleFiles } from './testing/sample-files.ts';
import { filesIn, sharedData } from './testing/shared-data.ts';
import { bytesOf } from './testing/text-source.ts';
import type { TranscriptEvent } from './transcript.ts';
import { isJsonEqual } from './values.ts';
import { streamTranscript, type WrittenTranscript, writeTranscript } from './write-transcript.ts';

/** Raise it for a longer look: `CTX_TEST_RUNS=1000`. */
const numRuns = Number(process.env['CTX_TEST_RUNS'] ?? 100);
const nativeRuns = Number(process.env['CTX_NATIVE_RUNS'] ?? 2);

/** What must hold of any bytes, read as a format. */
async function isSafe(bytes: Uint8Array, format: string): Promise<void> {
  const { events, receipt } = await readTranscript(bytes, { format });
  expect(receipt.bytes).toBe(bytes.length);
  expect(lostText(bytes, events)).toBe('');
  const bad = Object.values(receipt.bad).reduce((sum, count) => sum + count, 0);
  expect(events.filter(({ extra }) => extra?.['bad'] !== undefined)).toHaveLength(bad);
  for (const lane of receipt.lanes) {
    hasOwnCallIds(events, lane, format);
    for (const messages of [messagesOf(events, { lane }), requestsOf(events, { lane }).messages]) {
      expect(validateMessages(repairMessages(messages).messages)).toEqual([]);
    }
  }
  await openTranscript(bytes).catch((error: unknown) => {
    expect(isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT')).toBe(true);
  });
  await comesBack(events, { bytes, format });
}

/** Of the records that show, each call has an id of its own; an archive says what it was told. */
function hasOwnCallIds(events: readonly TranscriptEvent[], lane: string, format: string): void {
  if (format === 'ctx') return;
  const { entries } = historyOf(events, { lane });
  const calls = entries.flatMap(({ message }) => callsOf(message));
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
}

/** Formats that can be written give the bytes back, and without them the same messages. */
async function comesBack(
  events: readonly TranscriptEvent[],
  { bytes, format }: { readonly bytes: Uint8Array; readonly format: string },
): Promise<void> {
  const own = builtInFormats.find(({ name }) => name === format);
  if (own?.write === undefined) return;
  const copy = await writeTranscript(events, { format, source: bytes });
  expect(copy.bytes).toBe(bytes);
  const isOwn = events.some(({ message }) => message !== undefined);
  if (!isOwn) return;
  const written = await writeTranscript(events, { format }).catch((error: unknown) => {
    if (isCtxError(error, 'CTX_TOO_LARGE')) return undefined;
    throw error;
  });
  if (written === undefined) return;
  await streamsAlike(events, { format, written });
  const again = await readTranscript(written.bytes, { format });
  const contents = (list: readonly TranscriptEvent[]): unknown =>
    list.flatMap(({ message }) => (message ? [message.content] : []));
  const isEqual = isJsonEqual(contents(again.events), contents(events));
  expect(isEqual || Object.keys(written.receipt.losses).length > 0).toBe(true);
}

/** What is written line by line is what is written at once. */
async function streamsAlike(
  events: readonly TranscriptEvent[],
  { format, written }: { readonly format: string; readonly written: WrittenTranscript },
): Promise<void> {
  const stream = streamTranscript(oneByOne(events), { format });
  if (stream === undefined) return;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(written.bytes)).toBe(true);
  expect(stream.receipt()).toEqual(written.receipt);
}

async function* oneByOne(
  events: readonly TranscriptEvent[],
): AsyncGenerator<TranscriptEvent, void, undefined> {
  yield* events;
}

describe.each(builtInFormats.map(({ name }) => name))('mutations of a file of %s', (format) => {
  const samples = [sampleFiles[format] ?? '', repeatedCallFiles[format] ?? []].flat();

  it.each(samples)('are read without a crash and without a silent loss: %#', async (sample) => {
    const bytes = bytesOf(sample);
    // A format without a sample would pass.
    expect(bytes.length).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(anyMutations, (changes) => isSafe(mutated(bytes, changes), format)),
      { numRuns },
    );
  });
});

/** All files as the tools wrote them, and every ninth of the sessions in one form: those are much alike. */
const natives = [
  ...filesIn('native'),
  ...filesIn('transcripts').filter((_, place) => place % 9 === 0),
].map((file) => ({ file }));

describe.skipIf(natives.length === 0)(
  'mutations of real files (skipped without shared data)',
  () => {
    it.each(natives)(
      'are read without a crash and without a silent loss: $file',
      async ({ file }) => {
        const bytes = new Uint8Array(readFileSync(`${sharedData}/${file}`));
        const { format } = await openTranscript(bytes);
        await fc.assert(
          fc.asyncProperty(anyMutations, async (changes) => {
            const changed = mutated(bytes, changes);
            const { events, receipt } = await readTranscript(changed, { format });
            expect(receipt.bytes).toBe(changed.length);
            expect(lostText(changed, events)).toBe('');
          }),
          { numRuns: nativeRuns },
        );
      },
      600_000,
    );
  },
);

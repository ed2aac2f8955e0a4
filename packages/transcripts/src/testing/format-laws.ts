import { repairMessages, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInFormats } from '../built-in-formats.ts';
import { chooseFormat } from '../detect-format.ts';
import { historyOf } from '../history/lane-history.ts';
import { readTranscript } from '../read-transcript.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { isJsonEqual } from '../values.ts';
import { writeTranscript } from '../write-transcript.ts';
import { anyHistory, essenceOf, type Losses } from './any-history.ts';
import { bytesOf, textOf } from './text-source.ts';

/** The campaigns try many more. Raise it for a longer look: `CTX_TEST_RUNS=10000`. */
const numRuns = Number(
  process.env['CTX_TEST_RUNS'] ?? (process.env['CTX_TEST_CAMPAIGN'] === '1' ? 2000 : 80),
);

/** A format of messages under test. */
export interface FormatLaws {
  readonly format: string;
  /** Documents that are told from their content and come back equal. */
  readonly documents: readonly unknown[];
  /** Anything that looks like a record of the format. */
  readonly anyRecord: fc.Arbitrary<unknown>;
  readonly losses?: Losses;
}

/** Reads a document as a format. */
export async function readAs(
  format: string,
  document: unknown,
): Promise<readonly TranscriptEvent[]> {
  return (await readTranscript(bytesOf(JSON.stringify(document)), { format })).events;
}

/** Writes a log as a document of a format. */
export async function writeAs(format: string, log: readonly TranscriptEvent[]): Promise<unknown> {
  return JSON.parse(textOf((await writeTranscript(log, { format })).bytes));
}

function isRepairable(events: readonly TranscriptEvent[]): boolean {
  const { entries } = historyOf(events);
  const { messages } = repairMessages(entries.map(({ message }) => message));
  return validateMessages(messages).length === 0;
}

/** What holds of every format of messages. */
export function describeFormatLaws(laws: FormatLaws): void {
  const { format, documents, anyRecord, losses } = laws;
  describe(`the laws of ${format}`, () => {
    it.each(documents.map((document, index) => ({ index, document })))(
      'tells document $index from its content and gives it back',
      async ({ document }) => {
        const bytes = bytesOf(JSON.stringify(document));
        expect(chooseFormat(bytes, builtInFormats).format.name).toBe(format);
        const events = await readAs(format, document);
        expect(isRepairable(events)).toBe(true);
        expect(await writeAs(format, events)).toEqual(document);
      },
    );

    it('gives any list of records back, and what it reads can be mended', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyRecord, { maxLength: 6 }), async (records) => {
          const events = await readAs(format, records);
          return isRepairable(events) && isJsonEqual(await writeAs(format, events), records);
        }),
        { numRuns },
      );
    });

    it('reads any history again that it wrote', async () => {
      await fc.assert(
        fc.asyncProperty(anyHistory, async (history) => {
          const { bytes } = await writeTranscript(history, { format });
          const { events } = await readTranscript(bytes, { format });
          const read = events.flatMap(({ message }) => (message ? [message] : []));
          expect(essenceOf(read, losses)).toEqual(essenceOf(history, losses));
          expect(isRepairable(events)).toBe(true);
        }),
        { numRuns },
      );
    });

    it('never throws on bytes that were dropped, doubled or changed', async () => {
      const anyCut = fc.record({
        document: fc.constantFrom(...documents),
        at: fc.nat(4_000),
        length: fc.nat(40),
        put: fc.constantFrom('', '"', '{', ']', 'null', '1', String.raw`\u0000`),
      });
      await fc.assert(
        fc.asyncProperty(anyCut, async ({ document, at, length, put }) => {
          const text = JSON.stringify(document);
          const place = at % text.length;
          const cut = text.slice(0, place) + put + text.slice(place + length);
          const { events } = await readTranscript(bytesOf(cut), { format });
          expect(isRepairable(events)).toBe(true);
        }),
        { numRuns: 500 },
      );
    });
  });
}

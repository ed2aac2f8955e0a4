import { describe, expect, it } from 'vitest';
import { builtInFormats } from '../../built-in-formats.ts';
import { startReadLog } from '../../read-receipt.ts';
import { readTranscript } from '../../read-transcript.ts';
import { joinBytes } from '../../sources/byte-source.ts';
import { sampleFiles } from '../../testing/sample-files.ts';
import { bytesOf, collect, inChunks, textOf } from '../../testing/text-source.ts';
import type { TranscriptEvent } from '../../transcript.ts';
import { writeTranscript } from '../../write-transcript.ts';
import { readArchive, writeArchive } from './ctx.ts';

const eventsOf = async (name: string): Promise<readonly TranscriptEvent[]> =>
  (await readTranscript(bytesOf(sampleFiles[name] ?? ''))).events;
const archiveOf = async (events: readonly TranscriptEvent[]): Promise<Uint8Array> =>
  (await writeTranscript(events, { format: 'ctx' })).bytes;

/** An event without what an archive writes elsewhere. */
function essence({ seq: _, source: _source, extra, ...rest }: TranscriptEvent): unknown {
  const { origin: _origin, ...kept } = extra ?? {};
  return { ...rest, extra: kept };
}

describe.each(builtInFormats.filter(({ name }) => name !== 'ctx').map(({ name }) => name))(
  'an archive of %s',
  (name) => {
    it('holds every event exactly, and is the same bytes when it is written again', async () => {
      const events = await eventsOf(name);
      const bytes = await archiveOf(events);
      const { events: read, receipt } = await readTranscript(bytes);
      expect(receipt).toMatchObject({ format: 'ctx', bad: {}, notes: {} });
      expect(read.slice(1).map(essence)).toEqual(events.map(essence));
      expect(textOf(await archiveOf(read))).toBe(textOf(bytes));
    });

    it('gives what it was read from', async () => {
      const format = builtInFormats.find((one) => one.name === name);
      if (format?.write === undefined) return;
      const events = await eventsOf(name);
      const { events: read } = await readTranscript(await archiveOf(events));
      const direct = await writeTranscript(events, { format: name });
      const through = await writeTranscript(read.slice(1), { format: name });
      expect(textOf(through.bytes)).toBe(textOf(direct.bytes));
    });
  },
);

describe('archives with blobs', () => {
  const long = 'é'.repeat(40);
  const events = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: long }] },
    {
      role: 'user' as const,
      content: [
        {
          type: 'tool_result' as const,
          toolUseId: 't',
          content: [
            { type: 'text' as const, text: long },
            { type: 'text' as const, text: `${long}\ud800` },
          ],
        },
      ],
    },
  ].map((message, seq): TranscriptEvent => {
    return {
      kind: 'message',
      seq,
      lane: 'main',
      message,
      source: { offset: seq, length: 1, sha256: '' },
    };
  });
  const write = async (): Promise<{ bytes: Uint8Array; kept: Map<string, Uint8Array> }> => {
    const kept = new Map<string, Uint8Array>();
    const blobs = {
      write: (sha256: string, bytes: Uint8Array): Promise<void> => {
        kept.set(sha256, bytes);
        return Promise.resolve();
      },
    };
    const chunks = await collect(
      writeArchive(events, { blobs, blobCharacters: 30, sessionId: 's' }),
    );
    return { bytes: joinBytes(chunks), kept };
  };
  const read = async (bytes: Uint8Array, kept: ReadonlyMap<string, Uint8Array>) => {
    const log = startReadLog();
    const blobs = { read: (sha256: string) => Promise.resolve(kept.get(sha256)) };
    const options = { log, maxRecordBytes: 1_000_000, blobs };
    const read = await collect(readArchive(inChunks(bytes, 7), options));
    return {
      messages: read.flatMap(({ message }) => (message ? [message] : [])),
      notes: log.receipt('ctx', []).notes,
    };
  };

  it('keep a long text once, beside the lines, and give it back', async () => {
    const { bytes, kept } = await write();
    expect(kept.size).toBe(1);
    // What bytes cannot hold stays in its line.
    expect(textOf(bytes).split(long)).toHaveLength(2);
    const { messages, notes } = await read(bytes, kept);
    expect(messages).toEqual(events.map(({ message }) => message));
    expect(notes).toEqual({});
  });

  it('leave a reference, counted, where a blob is missing or was changed', async () => {
    const { bytes, kept } = await write();
    const missing = await read(bytes, new Map());
    expect(missing.notes).toEqual({ 'blob left out': 2 });
    expect(missing.messages[0]?.content).toMatchObject([{ type: 'opaque', format: 'ctx:blob' }]);
    const forged = new Map([...kept].map(([name]) => [name, bytesOf('forged')]));
    expect((await read(bytes, forged)).notes).toEqual({ 'blob that does not fit its name': 2 });
  });
});

describe('reading archives', () => {
  it('refuses a newer version in one clear sentence', async () => {
    await expect(readTranscript(bytesOf('{"ctx":2}\n'))).rejects.toThrow(
      /version 2; this ctx reads up to 1/,
    );
  });

  it.each([
    '{"kind":"message","lane":"main","origin":{},"message":{"role":"user","content":"text"}}',
    '{"kind":"message","lane":"main","origin":{},"message":{"role":"root","content":[]}}',
    '{"kind":"message","lane":"main","origin":{},"message":{"role":"user","content":[{"type":"tool_use","id":1}]}}',
    '{"kind":"boundary","lane":"main","origin":{},"boundary":{"trigger":"auto","keepIds":[1]}}',
    '{"kind":"usage","lane":"main","origin":{},"usage":{"input":"much"}}',
    '{"kind":"nothing","lane":"main","origin":{}}',
    '{"kind":"meta","lane":7,"origin":{}}',
    '{"kind":"meta","lane":"main"}',
    '7',
  ])('sets a line aside that is no event: %s', async (line) => {
    const { receipt } = await readTranscript(bytesOf(`{"ctx":1}\n${line}\n`));
    expect(Object.values(receipt.bad)).toEqual([1]);
    expect(receipt.quarantine).toHaveLength(1);
  });
});

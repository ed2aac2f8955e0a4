import type { TranscriptEvent } from '../../transcript.ts';
import { describe, expect, it } from 'vitest';
import { boundDocument, holdEvents } from './hold-events.ts';

const source = { offset: 0, length: 0, sha256: '' };

/** Events of which each is about 1,000 characters long. */
async function* events(count: number, extra?: TranscriptEvent['extra']) {
  for (let seq = 0; seq < count; seq += 1) {
    const message = {
      role: 'user' as const,
      content: [{ type: 'text' as const, text: 'x'.repeat(900) }],
    };
    const event: TranscriptEvent = { kind: 'message', seq, lane: 'main', message, source };
    yield extra === undefined || seq > 0 ? event : { ...event, extra };
  }
}

const options = { format: 'anthropic', streamed: ['codex', 'pi'], maxCharacters: 10_000 };

describe('an export that holds a session', () => {
  it('takes what fits', async () => {
    expect(await holdEvents(events(9), options)).toHaveLength(9);
  });

  it('refuses what is longer, and names the formats that are written event by event', async () => {
    let given = 0;
    async function* counted() {
      for await (const event of events(1_000)) {
        given += 1;
        yield event;
      }
    }
    const refused = holdEvents(counted(), options);
    await expect(refused).rejects.toMatchObject({ code: 'CTX_TOO_LARGE' });
    await expect(refused).rejects.toThrow(
      /as anthropic .*--format ctx .*codex, pi .*without --source/,
    );
    expect(given).toBeLessThan(12);
  });
});

describe('an export that is written event by event', () => {
  const read = async (made: AsyncIterable<TranscriptEvent>): Promise<number> => {
    let count = 0;
    for await (const event of boundDocument(made, options)) count += event.seq >= 0 ? 1 : 0;
    return count;
  };

  it('takes lines of any number', async () => {
    expect(await read(events(100))).toBe(100);
  });

  it('refuses a document that is longer than what is held', async () => {
    expect(await read(events(9, { document: 'object' }))).toBe(9);
    await expect(read(events(100, { document: 'object' }))).rejects.toMatchObject({
      code: 'CTX_TOO_LARGE',
    });
  });
});

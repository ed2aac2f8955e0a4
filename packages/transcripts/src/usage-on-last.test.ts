import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptEvent } from './transcript.ts';
import { startUsageOnLast } from './usage-on-last.ts';

const anyEvents = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', undefined), fc.option(fc.nat())), { maxLength: 30 })
  .map((items) =>
    items.map(([groupId, output], seq): TranscriptEvent => {
      const source = { offset: seq, length: 1, sha256: '' };
      const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: output ?? 0 };
      return {
        kind: 'message',
        seq,
        lane: 'main',
        source,
        ...(groupId === undefined ? {} : { groupId }),
        ...(output === null ? {} : { usage }),
      };
    }),
  );

function passedOf(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const filter = startUsageOnLast();
  return [...events.flatMap((event) => filter.push(event)), ...filter.end()];
}

describe('usage on the last record', () => {
  it('keeps every event in order and the last usage of each group', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const passed = passedOf(events);
        expect(passed.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
        for (const group of ['a', 'b']) {
          const last = (list: readonly TranscriptEvent[]): unknown =>
            list.findLast((event) => event.groupId === group && event.usage)?.usage;
          expect(last(passed)).toEqual(last(events));
        }
      }),
    );
  });

  it('shows the usage of a response once where nothing came in between', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, async (events) => {
        const ofOne = events.filter(({ groupId }) => groupId !== 'b');
        const passed = passedOf(ofOne);
        const shown = passed.filter((event) => event.groupId === 'a' && event.usage);
        expect(shown.length).toBe(
          ofOne.some((event) => event.groupId === 'a' && event.usage) ? 1 : 0,
        );
      }),
    );
  });
});

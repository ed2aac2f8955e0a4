import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { importBytes } from '@ctx/transcripts/import';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRecordedWindow } from './recorded-window.ts';
import { readRecording, sumsInOrder } from './recording.ts';

/** Twice as often: it shows only where an answer stands between two of it. */
const again = ['again', 'again'] as const;

/** One step of a session of Claude Code, and how far back in the file its record has its parent: 1 is the line before, 0 none. */
const step = fc.record({
  does: fc.constantFrom('ask', 'answer', 'call', 'two calls', 'note', 'compact', 'bare', ...again),
  back: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(6) }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Line = Record<string, unknown>;

const user = (content: unknown): Line => ({ type: 'user', message: { role: 'user', content } });
const answer = (group: string, content: readonly object[]): Line => ({
  ...{ type: 'assistant', message: { id: group, role: 'assistant', model: 'claude-x', content } },
});
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Read', input: { path: id } });
const result = (id: string): object => ({
  ...{ type: 'tool_result', tool_use_id: id, content: `what ${id} holds `.repeat(20) },
});

/** The lines of a step; those of two calls are two records of one response, and their results hang on one each. */
function linesOf({ does }: Step, at: number): readonly (Line & { up?: number })[] {
  const name = String(at);
  const text = { type: 'text', text: `said at step ${name}` };
  switch (does) {
    case 'ask':
      return [user(`asked at step ${name}`)];
    case 'answer':
      return [answer(`m${name}`, [text])];
    case 'call':
      return [answer(`m${name}`, [text, call(`c${name}`)]), user([result(`c${name}`)])];
    case 'two calls':
      return [
        answer(`m${name}`, [text, call(`a${name}`)]),
        answer(`m${name}`, [call(`b${name}`)]),
        { ...user([result(`a${name}`)]), up: 2 },
        { ...user([result(`b${name}`)]), up: 2 },
      ];
    case 'note':
      return [{ type: 'system', subtype: 'informational', content: 'a note' }];
    case 'compact':
      return [
        { type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } },
        { ...user(`what was said until step ${name}`), isCompactSummary: true },
      ];
    case 'bare':
      return [{ ...user(`asked at step ${name}, without an id`), uuid: undefined }];
    case 'again':
      return [{ ...user(`asked anew at step ${name}`), uuid: 'twice' }];
  }
}

function transcript(steps: readonly Step[]): Uint8Array {
  const lines: Line[] = [];
  for (const [at, one] of [{ does: 'ask', back: 0 } as const, ...steps].entries()) {
    for (const [index, { up, ...line }] of linesOf(one, at).entries()) {
      const back = up ?? (index === 0 ? one.back : 1);
      const parent = back === 0 ? undefined : lines[lines.length - back];
      const own = { uuid: `u${String(lines.length)}`, sessionId: 'work', isSidechain: false };
      lines.push({ parentUuid: parent?.['uuid'] ?? null, ...own, ...line });
    }
  }
  return Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

it('a session with branches has the requests that its views show, and carried what these hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), async (steps) => {
      const store = await openStore(memoryBackend(), { tokenCounter: approximateTokens });
      await importBytes(
        store,
        { name: 'work.jsonl', bytes: transcript(steps) },
        {
          ...{ redact: 'off', countTokens: approximateTokens },
          signal: new AbortController().signal,
        },
      );
      const window = await readRecordedWindow(store, 'work');
      // Of a record that is written again, a view shows the last one alone, at its place.
      const isAgain = steps.some(({ does }) => does === 'again');
      const carried = (await window.carried()).map(({ tokens }) => tokens);
      const held = carried.map(() => 0);
      const recording = await readRecording(store, 'work');
      for (const { number, sequence, tokens } of window.requests) {
        expect(sumsInOrder(recording)(sequence - 1)).toBe(tokens);
        const { segments } = window.view(number).view;
        if (!isAgain) expect(segments.reduce((sum, one) => sum + one.tokens, 0)).toBe(tokens);
        for (const [index, one] of segments.entries())
          held[index] = (held[index] ?? 0) + one.tokens;
      }
      expect(carried).toEqual(held);
    }),
  );
});

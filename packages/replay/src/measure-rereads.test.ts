import type { Message } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEvidenceMeter } from './measure-evidence.ts';
import { createRereadMeter } from './measure-rereads.ts';

const read = (id: string, path: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: path } }],
});
const result = (toolUseId: string, text: string, isError = false): Message => ({
  role: 'user',
  content: [
    {
      type: 'tool_result',
      toolUseId,
      content: [{ type: 'text', text }],
      ...(isError && { isError }),
    },
  ],
});

/** Ten tokens a message, so that shares are easy to see. */
const newMeter = () => createRereadMeter({ tokensOf: () => 10, evidence: createEvidenceMeter() });

describe('a read of a file that was read before', () => {
  it('repeats the lines that a result had shown, whatever their numbers', () => {
    const meter = newMeter();
    for (const message of [read('a', 'x.ts'), result('a', '1→first\n2→other')]) meter.take(message);
    const [need] = meter.needsOf([read('b', './x.ts')], [result('b', '7→first\n8→newer')]);
    expect(need?.lines).toEqual(['first']);
    const none = meter.measure({ lines: ['first'], tokensPerCharacter: 1 }, [answerTo('gone')]);
    expect(none).toEqual({ tokens: 5, inView: 0 });
    const shown = [result('a', '1→first\n2→other')];
    expect(meter.measure({ lines: ['first'], tokensPerCharacter: 1 }, shown).inView).toBe(5);
  });

  it('is none for another file, a failed read or a file that was only edited', () => {
    const meter = newMeter();
    meter.take(read('a', 'x.ts'));
    meter.take(result('a', 'first line', true));
    expect(meter.needsOf([read('b', 'x.ts')], [result('b', 'first line')])).toEqual([]);
    meter.take(result('a', 'first line'));
    expect(meter.needsOf([read('b', 'y.ts')], [result('b', 'first line')])).toEqual([]);
    expect(meter.needsOf([read('b', 'x.ts')], [result('b', 'first line', true)])).toEqual([]);
    expect(meter.needsOf([read('b', 'x.ts')], [])).toEqual([]);
  });

  it('is wholly in view of the request that still holds the earlier one', () => {
    const line = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', 'c', ' ') });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        const meter = newMeter();
        const before = [read('a', 'x.ts'), result('a', lines.join('\n'))];
        for (const message of before) meter.take(message);
        for (const need of meter.needsOf([read('b', 'x.ts')], [result('b', lines.join('\n'))])) {
          const { tokens, inView } = meter.measure(need, before);
          expect(inView).toBe(tokens);
          expect(tokens).toBeLessThanOrEqual(10);
        }
      }),
    );
  });
});

function answerTo(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

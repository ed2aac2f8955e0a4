import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { createNameMeter, identifiersIn } from './measure-names.ts';

const answer = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});
const result = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId: 'r', content: [{ type: 'text', text }] }],
});

describe('identifiers', () => {
  it('are words with an underscore, a digit or an inner capital', () => {
    const text = 'readFile(max_size, sha256sum) returns Nothing from HTTP or 123456, a4 and window';
    expect([...identifiersIn(text)]).toEqual(['readFile', 'max_size', 'sha256sum']);
  });
});

describe('names that an answer owes to tool results', () => {
  it('are those that only results held before', () => {
    const meter = createNameMeter('Never call dropTable.');
    meter.take(answer('I look for parseRange.'));
    meter.take(result('parseRange dropTable joinLines'));
    const used = answer('joinLines calls parseRange, dropTable and newThing');
    expect(meter.needsOf([used])).toEqual(['joinLines']);
  });

  it('count once in a session, also when they stood in a call', () => {
    const meter = createNameMeter();
    meter.take(result('joinLines'));
    const call: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'g', name: 'Grep', input: { pattern: 'joinLines' } }],
    };
    expect(meter.needsOf([call, answer('joinLines')])).toEqual(['joinLines']);
    meter.take(call);
    expect(meter.needsOf([answer('joinLines')])).toEqual([]);
  });

  it('are in view where any block of the request holds them as a word', () => {
    const meter = createNameMeter();
    const request = [result('joinLines'), answer('splitLinesNow')];
    expect(meter.inView(['joinLines', 'splitLines', 'other_name'], request)).toBe(1);
    expect(meter.inView([], request)).toBe(0);
  });
});
